import type { Agent } from '../agent';
import { extension } from './acp';
import { mcp } from './mcp';
import { saved } from './saved';
import { stream } from './stream';

export const codex = {
  id: 'codex',
  label: 'Codex',
  stream,
  saved,
  mcp,
  acp: { commandLine: 'codex-acp', install: 'npm install -g @agentclientprotocol/codex-acp' },
  extension,
} as const satisfies Agent;
