import type { Agent } from '../agent';
import { mcp } from './mcp';
import { saved } from './saved';
import { stream } from './stream';

export const copilot = {
  id: 'copilot',
  label: 'Copilot CLI',
  stream,
  saved,
  mcp,
  acp: { name: 'GitHub Copilot', commandLine: 'copilot --acp', install: 'npm install -g @github/copilot' },
} as const satisfies Agent;
