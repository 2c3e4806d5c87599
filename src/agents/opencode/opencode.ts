import type { Agent } from '../agent';
import { extension } from './acp';
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
  extension,
} as const satisfies Agent;
