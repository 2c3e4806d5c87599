import type { Agent } from '../agent';
import { extension } from './acp';
import { saved } from './saved';

export const qwen = {
  id: 'qwen',
  label: 'Qwen Code',
  variantOf: 'claude',
  // Claude Code's events. Only the first one identifies the agent.
  stream: { recognises: (event) => event['type'] === 'system' && 'qwen_code_version' in event },
  saved,
  acp: { commandLine: 'qwen --acp', install: 'npm install -g @qwen-code/qwen-code' },
  extension,
} as const satisfies Agent;
