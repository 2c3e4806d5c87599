import type { Agent } from '../agent';
import { mcp } from './mcp';
import { saved } from './saved';
import { stream } from './stream';

export const opencode = {
  id: 'opencode',
  label: 'OpenCode',
  stream,
  saved,
  mcp,
  acp: { commandLine: 'opencode acp', install: 'npm install -g opencode-ai' },
} as const satisfies Agent;
