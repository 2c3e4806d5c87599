import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const continueCli = {
  id: 'continue',
  label: 'Continue',
  stream,
  saved,
} as const satisfies Agent;
