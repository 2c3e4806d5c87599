import type { Agent } from '../agent';
import { mcp } from './mcp';
import { stream } from './stream';

/** Its sessions are in a database without a documented form. */
export const cursor = {
  id: 'cursor',
  label: 'Cursor CLI',
  variantOf: 'claude',
  stream,
  mcp,
  acp: { name: 'Cursor', commandLine: 'cursor-agent acp', install: 'https://cursor.com/cli' },
} as const satisfies Agent;
