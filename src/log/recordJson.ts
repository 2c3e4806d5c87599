import { fieldsText } from './jsonText';
import type { LogRecord } from './record';
import { shortId } from './sessionLabel';

/**
 * A record as one line of JSON, with the fields of `LogRecord`: times in milliseconds since the epoch; the session's id is bearer-like,
 * so only its end is included.
 */
export function recordJson(record: LogRecord): string {
  const { sessionId, ...fields } = record;
  return fieldsText({ ...fields, ...(sessionId !== undefined && { sessionId: `…${shortId(sessionId)}` }) });
}
