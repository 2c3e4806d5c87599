import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';

/** The level that a logger's value names: a word, or a number of bunyan and pino (10 trace to 60 fatal). `undefined` for what is neither. */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value !== 'number') return parseLevel(value);
  if (value >= 60) return 'critical';
  if (value >= 50) return 'error';
  if (value >= 40) return 'warning';
  return value >= 30 ? 'info' : 'debug';
}
