import type { Agent } from '../agent';
import { extension } from './acp';
import { mcp } from './mcp';
import { saved } from './saved';
import { stream } from './stream';

export const gemini = {
  id: 'gemini',
  label: 'Gemini CLI',
  stream,
  saved,
  mcp,
  acp: { commandLine: 'gemini --acp', install: 'npm install -g @google/gemini-cli' },
  extension,
} as const satisfies Agent;
