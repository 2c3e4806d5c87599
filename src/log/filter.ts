import type { Threshold } from './level';
import { reaches } from './level';
import type { LogRecord, RecordKind } from './record';

/** Which records are wanted; what is left out does not restrict. */
export interface RecordQuery {
  /** One session's, or with `null` those of no session. */
  readonly sessionId?: string | null | undefined;
  readonly minLevel?: Threshold | undefined;
  readonly kinds?: readonly RecordKind[] | undefined;
  /** Part of the message or the logger, in any case. */
  readonly text?: string | undefined;
  /** Received at or after this time, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** At most so many, the newest. */
  readonly limit?: number | undefined;
}

/** The query as one test; `limit` is for the store to keep. */
export function matcher(query: RecordQuery): (record: LogRecord) => boolean {
  // An expression that ignores case makes no copy in lower case of each message.
  const text =
    query.text === undefined ? undefined : new RegExp(query.text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
  return (record) =>
    (query.sessionId === undefined || (record.sessionId ?? null) === query.sessionId) &&
    (query.minLevel === undefined || reaches(record.level, query.minLevel)) &&
    (query.kinds === undefined || query.kinds.includes(record.kind)) &&
    (query.since === undefined || record.receivedAt >= query.since) &&
    (text === undefined || text.test(record.message) || (record.logger !== undefined && text.test(record.logger)));
}
