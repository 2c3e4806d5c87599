import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream/stream';

export const claude = {
  id: 'claude',
  label: 'Claude Code',
  stream,
  saved,
  acp: { commandLine: 'claude-agent-acp', install: 'npm install -g @agentclientprotocol/claude-agent-acp' },
} as const satisfies Agent;
