import type { Agent } from '../agent';
import { extension } from './acp';
import { mcp } from './mcp';
import { saved } from './saved';
import { stream } from './stream';

export const qwen = {
  id: 'qwen',
  label: 'Qwen Code',
  variantOf: 'claude',
  stream,
  saved,
  mcp,
  acp: { commandLine: 'qwen --acp', install: 'npm install -g @qwen-code/qwen-code' },
  extension,
} as const satisfies Agent;
