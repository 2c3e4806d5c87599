import type { Agent } from '../agent';
import { extension } from './acp';
import { saved } from './saved';
import { stream } from './stream';

export const cline = {
  id: 'cline',
  label: 'Cline',
  stream,
  saved,
  acp: { commandLine: 'cline --acp', install: 'npm install -g cline' },
  extension,
} as const satisfies Agent;
