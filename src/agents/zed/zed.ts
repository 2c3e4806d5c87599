import type { Agent } from '../agent';
import { mcp } from './mcp';

/** An editor. Its sessions aren't read. */
export const zed = { id: 'zed', label: 'Zed', mcp } as const satisfies Agent;
