import { boundedJson } from '../../text/boundedJson';
import { isDeeper, maxIndented } from '../../text/jsonText';
import type { LogRecord } from '../../text/record';
import { markedId } from '../../text/sessionLabel';
import { withEscapes } from '../../text/text';
import { arrayOf, objectOf } from '../../text/json';
import type { ExplorerRun } from '../../runLog/explorerRun';

const maxText = 1_000_000;

/** All fields of a record and the line it was read from, as indented JSON. Times are in ISO 8601; session ids are shortened. */
export function describeRecord(record: LogRecord, run: ExplorerRun): string {
  const { seq, receivedAt, time, level, kind, sessionId, logger, message, data } = record;
  const lines = rawOf(record, run)?.split('\n');
  const evidence = evidenceOf(run, record);
  const fields = {
    seq,
    receivedAt: isoTime(receivedAt),
    ...(time !== undefined && { time: isoTime(time) }),
    level,
    kind,
    ...(sessionId !== undefined && { sessionId: markedId(sessionId) }),
    logger,
    message,
    data: isDeeper(data, maxIndented) ? boundedJson(data, maxText) : data,
    ...(evidence.length > 0 && { evidence }),
    raw: lines?.length === 1 ? lines[0] : lines,
  };
  return withEscapes(JSON.stringify(fields, null, 2));
}

/** The records that a diagnosis is based on, with their lines. */
function evidenceOf(run: ExplorerRun, { kind, data }: LogRecord): object[] {
  if (kind !== 'diagnosis') return [];
  return arrayOf(objectOf(data)['evidence']).flatMap((seq) => {
    const record = typeof seq === 'number' ? run.log.store.get(seq) : undefined;
    return record ? [{ seq, level: record.level, message: record.message, raw: rawOf(record, run) }] : [];
  });
}

/** Shortened, because anyone with a session's id can continue the session. */
function rawOf({ seq, sessionId }: LogRecord, { log }: ExplorerRun): string | undefined {
  const raw = log.store.raw(seq);
  return raw === undefined ? undefined : log.store.sessionIds.inText(raw, sessionId);
}

function isoTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? String(ms) : time.toISOString();
}
