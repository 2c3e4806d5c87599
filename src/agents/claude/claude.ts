import type { Agent } from '../agent';
import { extension } from './acp';
import { mcp } from './mcp';
import { saved } from './saved';
import { stream } from './stream/stream';

export const claude = {
  id: 'claude',
  label: 'Claude Code',
  stream,
  saved,
  mcp,
  acp: { commandLine: 'claude-agent-acp', install: 'npm install -g @agentclientprotocol/claude-agent-acp' },
  extension,
} as const satisfies Agent;
