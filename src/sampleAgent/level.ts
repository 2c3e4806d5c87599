/** The eight severities of RFC 5424, least severe first. */
export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** How severe a log message is. */
export type Level = (typeof levels)[number];

/** What a client asks for: what is at least this severe, or nothing at all. */
export type Threshold = Level | 'off';

/** Everything a client can ask for. */
export const thresholds: readonly Threshold[] = [...levels, 'off'];

/** Whether the value is one of the nine thresholds. */
export function isThreshold(value: unknown): value is Threshold {
  return thresholds.some((threshold) => threshold === value);
}

/** Whether a message of this level is wanted. */
export function reaches(level: Level, threshold: Threshold): boolean {
  return thresholds.indexOf(level) >= thresholds.indexOf(threshold);
}
