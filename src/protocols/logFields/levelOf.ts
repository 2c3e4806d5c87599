import type { Level } from '../../log/level';
import { levels, parseLevel } from '../../log/level';

/**
 * The level that a logger's value names: a word, or a number of bunyan and pino (10 trace to 60 fatal). `undefined` for what is none: lower
 * numbers mean something else in each logger (0 is the worst of consola's and the least of tslog's).
 */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value !== 'number') return parseLevel(value);
  if (value >= 60) return 'critical';
  if (value >= 50) return 'error';
  if (value >= 40) return 'warning';
  if (value >= 30) return 'info';
  return value >= 10 ? 'debug' : undefined;
}

/** The level of an entry of syslog or GELF: a severity (RFC 5424, section 6.2.1: 0 emergency to 7 debug). */
export function levelOfSyslog(value: unknown): Level | undefined {
  return typeof value === 'number' && value >= 0 && value <= 7 ? levels[7 - value] : levelOf(value);
}
