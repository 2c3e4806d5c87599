import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

export const opencode = {
  id: 'opencode',
  label: 'OpenCode',
  stream,
  saved,
} as const satisfies Agent;
