import type { Threshold } from '../level';
import { rankOf, reaches } from '../level';
import type { LogRecord } from '../record';

/** What of a run's records a person wants to see. It gates the views only: everything is kept. */
export interface Visibility {
  readonly level: Threshold;
  /** Whether what the agent did stands among what it logged. Activity from warning on is shown in any case. */
  readonly activity: boolean;
}

/** Whether a record passes the view's gate. */
export function isVisible(record: Pick<LogRecord, 'level' | 'kind'>, visibility: Visibility): boolean {
  if (!reaches(record.level, visibility.level)) return false;
  return record.kind !== 'activity' || visibility.activity || rankOf(record.level) >= rankOf('warning');
}
