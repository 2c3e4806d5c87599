import type { Agent } from '../agent';
import { stream } from './stream';

/** Its sessions are in a database without a documented form. */
export const cursor = {
  id: 'cursor',
  label: 'Cursor CLI',
  variantOf: 'claude',
  stream,
  acp: { name: 'Cursor', commandLine: 'cursor-agent acp', install: 'https://cursor.com/cli' },
} as const satisfies Agent;
