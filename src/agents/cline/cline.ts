import type { Agent } from '../agent';
import { saved } from './saved';

export const cline = {
  id: 'cline',
  label: 'Cline',
  saved,
} as const satisfies Agent;
