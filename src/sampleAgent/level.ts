import { RequestError } from '@agentclientprotocol/sdk';

/** The eight severities of RFC 5424, least severe first. */
export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** How severe a log message is. */
export type Level = (typeof levels)[number];

/** What a client asks for: what is at least this severe, or nothing at all. */
export type Threshold = Level | 'off';

/** Everything a client can ask for. */
const thresholds: readonly Threshold[] = [...levels, 'off'];

/** Whether the value is one of the nine thresholds. */
export function isThreshold(value: unknown): value is Threshold {
  return thresholds.some((threshold) => threshold === value);
}

/** Whether a message of this level is wanted. */
export function reaches(level: Level, threshold: Threshold): boolean {
  return thresholds.indexOf(level) >= thresholds.indexOf(threshold);
}

/** Changes the level of a running connection. Not part of ACP; the name and the form are those of MCP up to 2025-11-25. */
export const setLevelMethod = 'logging/setLevel';

/** Reads the params of {@link setLevelMethod}. */
export function parseSetLevel(params: unknown): Threshold {
  const level = typeof params === 'object' && params !== null && 'level' in params ? params.level : undefined;
  if (isThreshold(level)) return level;
  throw RequestError.invalidParams({ level }, `level must be one of ${thresholds.join(', ')}`);
}
