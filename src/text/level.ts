/** The eight severities of RFC 5424 (section 6.2.1) from the least to the most severe, as ACP's logging proposal and MCP name them. */
export const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** How severe a record is. */
export type Level = (typeof levels)[number];

/** Minimum level; `off` for none. */
export type Threshold = Level | 'off';

/** All thresholds that users can choose. */
export const thresholds: readonly Threshold[] = [...levels, 'off'];

/** Other names in use for the eight levels: PostHog and pino say `warn`, log4j `fatal` and `trace`, syslog(3) `err`. */
const aliases: ReadonlyMap<string, Level> = new Map<string, Level>([
  ...levels.map((level): [string, Level] => [level, level]),
  ['trace', 'debug'],
  ['information', 'info'],
  ['warn', 'warning'],
  ['err', 'error'],
  ['fatal', 'critical'],
  ['crit', 'critical'],
  ['emerg', 'emergency'],
  ['panic', 'emergency'],
]);

/** 0 (debug) to 7 (emergency); 8 for `off`, which no level reaches. */
export function rankOf(threshold: Threshold): number {
  // Called for each record of a flood: a table takes several times as long.
  switch (threshold) {
    case 'debug':
      return 0;
    case 'info':
      return 1;
    case 'notice':
      return 2;
    case 'warning':
      return 3;
    case 'error':
      return 4;
    case 'critical':
      return 5;
    case 'alert':
      return 6;
    case 'emergency':
      return 7;
    case 'off':
      return 8;
  }
}

/** Whether a record of this level passes a threshold. */
export function reaches(level: Level, threshold: Threshold): boolean {
  return rankOf(level) >= rankOf(threshold);
}

/** The three ways in which levels are drawn. */
export function severityOf(level: Level): 'error' | 'warning' | 'info' {
  return reaches(level, 'error') ? 'error' : level === 'warning' ? 'warning' : 'info';
}

/** Whether `wanted` includes levels that `declared` excludes. */
export function wantsMore(wanted: Threshold, declared: Threshold): boolean {
  return rankOf(wanted) < rankOf(declared);
}

/** Parses a level by any name in use, ignoring case. */
export function parseLevel(value: unknown): Level | undefined {
  return typeof value === 'string' ? aliases.get(value.toLowerCase()) : undefined;
}

/** Whether the value is one of the nine thresholds, spelled exactly. */
export function isThreshold(value: unknown): value is Threshold {
  return typeof value === 'string' && (thresholds as readonly string[]).includes(value);
}
