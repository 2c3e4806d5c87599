import type { RecordStore } from '../log/store';
import { oneLine } from '../log/text';

/** The line of a stack trace that says what happened. */
const exception = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b.*/m;

/** What an agent wrote last on standard error, on one line: mostly why it ended. */
export function lastWords(store: RecordStore): string | undefined {
  const [last] = store.query({ kinds: ['stderr'], limit: 1 });
  if (!last) return undefined;
  return oneLine(exception.exec(last.message)?.[0] ?? last.message, 200);
}
