import type { JsonObject } from '../../log/json';
import { claude } from './claude';
import { cline } from './cline';
import { codex } from './codex';
import { copilot } from './copilot';
import { gemini } from './gemini';
import { opencode } from './opencode';
import { pi } from './pi';
import { qwen } from './qwen';
import type { SavedFormat } from './savedFormat';

/** Recognizes the format of a saved session from one line, if it is unambiguous. */
export function recogniseSaved(line: JsonObject): SavedFormat | undefined {
  // Qwen before Claude, because it uses a variant of Claude's format.
  return [qwen, claude, codex, gemini, copilot, pi, cline, opencode].find((format) => format.recognises(line));
}
