import { RequestError } from '@agentclientprotocol/sdk';

/** The eight severities of RFC 5424, least severe first. */
export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** Severity of a log message. */
export type Level = (typeof levels)[number];

/** Minimum severity that a client requests, or `off` for no logs. */
export type Threshold = Level | 'off';

const thresholds: readonly Threshold[] = [...levels, 'off'];

/** Whether the value is one of the nine thresholds. */
export function isThreshold(value: unknown): value is Threshold {
  return thresholds.some((threshold) => threshold === value);
}

export function reaches(level: Level, threshold: Threshold): boolean {
  return thresholds.indexOf(level) >= thresholds.indexOf(threshold);
}

/** Changes the level of a running connection. Not part of ACP; name and parameters are MCP's, up to 2025-11-25. */
export const setLevelMethod = 'logging/setLevel';

/** Parses the parameters of {@link setLevelMethod}. */
export function parseSetLevel(params: unknown): Threshold {
  const level = typeof params === 'object' && params !== null && 'level' in params ? params.level : undefined;
  if (isThreshold(level)) return level;
  throw RequestError.invalidParams({ level }, `level must be one of ${thresholds.join(', ')}`);
}
