import type { Level } from '../../log/level';
import { levels, parseLevel } from '../../log/level';

/**
 * The level named by a logger's value: a word, or a number as in bunyan and pino (10 trace to 60 fatal). `undefined` for anything else, including
 * lower numbers, whose meaning differs between loggers (0 is the most severe in consola and the least severe in tslog).
 */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value !== 'number') return parseLevel(value);
  if (value >= 60) return 'critical';
  if (value >= 50) return 'error';
  if (value >= 40) return 'warning';
  if (value >= 30) return 'info';
  return value >= 10 ? 'debug' : undefined;
}

/** The level of a syslog or GELF entry: a severity (RFC 5424, section 6.2.1: 0 emergency to 7 debug). */
export function levelOfSyslog(value: unknown): Level | undefined {
  return typeof value === 'number' && value >= 0 && value <= 7 ? levels[7 - value] : levelOf(value);
}
