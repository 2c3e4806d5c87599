import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const codex = {
  id: 'codex',
  label: 'Codex',
  stream,
  saved,
} as const satisfies Agent;
