import type { LogRecord } from '../../log/record';
import { Redactor } from '../../log/redact/redactor';
import type { RunView } from '../../runs/runView';

/** A private key may have begun so many records before the first that is wanted. */
const before = 200;

/**
 * Records as a model may have them, also where the person wants to see what crosses as it is: without secrets. A private key comes line by
 * line, and is known only by what came before.
 */
export function safeRecords(
  records: readonly LogRecord[],
  run: RunView,
  patterns: readonly RegExp[],
): readonly LogRecord[] {
  const first = (records[0]?.seq ?? 0) - before;
  const last = records.at(-1)?.seq ?? 0;
  const redactor = new Redactor({ patterns });
  const messages = new Map<number, string>();
  for (const { seq, kind, message } of run.log.store.query()) {
    if (seq < first || seq > last) continue;
    const lines = message.split('\n').map((line) => redactor.line(line, kind));
    messages.set(seq, lines.join('\n'));
  }
  return records.map((record) => ({ ...record, message: messages.get(record.seq) ?? redactor.line(record.message) }));
}
