import type { LogRecord } from '../../../log/record';
import { shownText } from '../../../log/text';
import type { RunView } from '../../../runs/runView';
import { membersOf, valueAt } from './dataTree';
import type { HostMessage, PageMessage } from '../messages';
import type { DetailsOptions } from './recordDetails';
import { maxText, rawLine, recordDetails } from './recordDetails';

type RecordQuestion = PageMessage & { readonly t: 'details' | 'tree' | 'value' | 'raw' };

/** What the details pane asks about one record; `undefined` if there is no such value or line. */
export function answerAboutRecord(
  question: RecordQuestion,
  run: RunView,
  options: DetailsOptions,
): HostMessage | undefined {
  const { seq } = question;
  const record = run.log.store.get(seq);
  switch (question.t) {
    case 'details':
      return { t: 'details', seq, details: record ? recordDetails(record, run, options) : null };
    case 'tree': {
      const { path, from } = question;
      return { t: 'tree', seq, path, from, nodes: membersOf(valueAt(record?.data, path), from) };
    }
    case 'value': {
      const value = valueAt(record?.data, question.path);
      return typeof value === 'string' ? wholeString(seq, question.path, value) : undefined;
    }
    case 'raw':
      return record && lineOf(record, run);
  }
}

function wholeString(seq: number, path: readonly number[], value: string): HostMessage {
  const missing = Math.max(0, value.length - maxText);
  const text = shownText(value.slice(0, maxText));
  return { t: 'value', seq, path, text: `"${text}${missing > 0 ? '…' : '"'}`, missing };
}

function lineOf(record: LogRecord, run: RunView): HostMessage | undefined {
  const raw = rawLine(record, run);
  if (raw === undefined) return undefined;
  const missing = Math.max(0, raw.length - maxText);
  return { t: 'raw', seq: record.seq, text: shownText(raw.slice(0, maxText)), missing };
}
