import type { Agent } from '../agent';
import { saved } from './saved';

export const cline = {
  id: 'cline',
  label: 'Cline',
  saved,
  acp: { commandLine: 'cline --acp', install: 'npm install -g cline' },
} as const satisfies Agent;
