import type { Level } from '../../log/level';
import { levels, parseLevel } from '../../log/level';

/**
 * The level that a logger's value names: a word, a number of bunyan and pino (10 trace to 60 fatal), or one of syslog and GELF (RFC 5424,
 * section 6.2.1: 0 emergency to 7 debug). `undefined` for what is none.
 */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value !== 'number') return parseLevel(value);
  if (value >= 0 && value <= 7) return levels[7 - value];
  if (value >= 60) return 'critical';
  if (value >= 50) return 'error';
  if (value >= 40) return 'warning';
  return value >= 30 ? 'info' : 'debug';
}
