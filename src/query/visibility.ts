import type { Threshold } from '../text/level';
import { rankOf, reaches } from '../text/level';
import type { LogRecord } from '../text/record';

/** Which records of a run to show. It affects views only; all records are kept. */
export interface Visibility {
  readonly level: Threshold;
  /** Whether to show the agent's activity. Activity at warning and above is always shown. */
  readonly activity: boolean;
}

/** Whether a record passes the view's gate. */
export function isVisible(record: Pick<LogRecord, 'level' | 'kind'>, visibility: Visibility): boolean {
  if (!reaches(record.level, visibility.level)) return false;
  return record.kind !== 'activity' || visibility.activity || rankOf(record.level) >= rankOf('warning');
}
