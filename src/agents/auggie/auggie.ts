import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const auggie = {
  id: 'auggie',
  label: 'Auggie',
  variantOf: 'claude',
  stream,
  saved,
  acp: { commandLine: 'auggie --acp', install: 'npm install -g @augmentcode/auggie' },
} as const satisfies Agent;
