import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream';

/** Letta Code with its local backend. With a server, nothing is saved on this machine. */
export const letta = {
  id: 'letta',
  label: 'Letta Code',
  // Its stream begins like Claude Code's.
  variantOf: 'claude',
  stream,
  saved,
} as const satisfies Agent;
