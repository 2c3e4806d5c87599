import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const gemini = {
  id: 'gemini',
  label: 'Gemini CLI',
  stream,
  saved,
  acp: { commandLine: 'gemini --acp', install: 'npm install -g @google/gemini-cli' },
} as const satisfies Agent;
