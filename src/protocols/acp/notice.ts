import type { RecordDraft } from '../../log/record';
import { parseLevel } from '../../log/level';
import type { JsonObject } from '../json';
import { textOf } from '../json';

/**
 * Reads a session notice (ACP RFD "Session Notices"). `severity` is an open enumeration; if it isn't a level, the record has level
 * `notice`, and its data has the original value.
 */
export function noticeRecord(
  update: JsonObject,
  sessionId: string | undefined,
  receivedAt: number,
  raw: string,
): RecordDraft {
  const { severity } = update;
  const level = parseLevel(severity);
  const description = textOf(update['description']);
  const title = textOf(update['title']) ?? '(no title)';
  return {
    receivedAt,
    level: level ?? 'notice',
    kind: 'notice',
    ...(sessionId !== undefined && { sessionId }),
    message: description === undefined ? title : `${title}: ${description}`,
    ...(level === undefined && severity !== undefined && { data: { severity } }),
    raw,
  };
}
