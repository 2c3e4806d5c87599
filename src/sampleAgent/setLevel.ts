import { RequestError } from '@agentclientprotocol/sdk';
import type { Threshold } from './level';
import { isThreshold, thresholds } from './level';

/** Changes the level of a running connection. Not part of ACP; the name and the form are those of MCP up to 2025-11-25. */
export const setLevelMethod = 'logging/setLevel';

/** Reads the params of {@link setLevelMethod}. */
export function parseSetLevel(params: unknown): Threshold {
  const level = typeof params === 'object' && params !== null && 'level' in params ? params.level : undefined;
  if (isThreshold(level)) return level;
  throw RequestError.invalidParams({ level }, `level must be one of ${thresholds.join(', ')}`);
}
