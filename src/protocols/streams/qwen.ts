import type { JsonObject } from '../json';
import { isClaudeForm, readClaude } from './claude/claude';
import type { Dialect } from './dialect';

/** Qwen Code, `-o stream-json`: Claude Code's events. Only the first one identifies the agent, with `permission_mode` and its own version. */
export const qwen: Dialect = {
  name: 'qwen',
  recognises: (event: JsonObject) => isClaudeForm(event) && 'qwen_code_version' in event,
  resembles: () => false,
  read: readClaude,
};
