import type { Agent } from '../agent';
import { saved } from './saved';
import { stream } from './stream/stream';

export const claude = {
  id: 'claude',
  label: 'Claude Code',
  stream,
  saved,
} as const satisfies Agent;
