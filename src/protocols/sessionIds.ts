import { boundedJson } from '../text/boundedJson';
import type { RecordDraft } from '../text/record';
import { markedId, namesSession, withShortNamedIds, withShortSession } from '../text/sessionLabel';
import type { JsonObject } from '../text/json';
import { isObject, textOf } from '../text/json';
import { ownCopy, ownKey } from '../text/ownText';

/** Maximum number of sessions per run. Records of any others are filed together. */
const maxSessions = 1000;
/** Minimum length of an ID to search for; a shorter one may be part of a word. */
const minDistinct = 12;
/** How many sessions, newest first, to search for in a line. */
const maxSearched = 50;

/** Where records of sessions beyond the limit are filed. */
export const otherSessions = 'other sessions';

/** Maximum length of a session ID, in characters. */
const maxIdLength = 256;

/** Cuts a long ID, always the same way. Keeps its end, which is what the views show. */
export function boundedSessionId(id: string): string {
  return id.length > maxIdLength ? `${ownKey(id, maxIdLength - 9)}…${ownCopy(id.slice(-8))}` : id;
}

/** The session IDs of a run, bounded in number and length. */
export class SessionIds {
  /** Interns IDs, because each message brings a new copy. */
  private readonly known = new Map<string, string>();

  /** @param onSeen called for each new ID */
  constructor(private readonly onSeen: (sessionId: string, at: number) => void) {}

  has(sessionId: string): boolean {
    return this.known.has(sessionId);
  }

  /** The session that parameters or a result belong to, if any. */
  of(fields: JsonObject, at: number): string | undefined {
    // Some agents use snake_case.
    const id = textOf(fields['sessionId']) ?? textOf(fields['session_id']);
    return id === undefined ? undefined : this.file(id, at);
  }

  /** Attributes a record to the session named in its text, and shortens the ID, which is bearer-like. */
  attribute(draft: RecordDraft): RecordDraft {
    const json = draft.data === undefined ? '' : boundedJson(draft.data);
    for (const id of [...this.known.keys()].slice(-maxSearched)) {
      if (id.length < minDistinct || !(draft.message.includes(id) || json.includes(id))) continue;
      const data = json.includes(id) && isObject(draft.data) ? { data: shortened(draft.data, id) } : {};
      const message = withShortNamedIds(withShortSession(draft.message, id));
      return { ...draft, sessionId: id, message, ...data };
    }
    // The ID of a session may appear before the session is known.
    const data = /session/i.test(json) && isObject(draft.data) ? { data: shortened(draft.data, undefined) } : {};
    return { ...draft, message: withShortNamedIds(draft.message), ...data };
  }

  /** The ID to file records by. */
  file(id: string, at: number): string {
    const short = boundedSessionId(id);
    const known = this.known.get(short);
    if (known !== undefined) return known;
    const filed = this.known.size < maxSessions ? short : otherSessions;
    if (this.known.has(filed)) return filed;
    this.known.set(filed, filed);
    this.onSeen(filed, at);
    return filed;
  }
}

function shortened(fields: JsonObject, id: string | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortText(name, value, id) : value,
    ]),
  );
}

function shortText(name: string, value: string, id: string | undefined): string {
  if (namesSession(name) && value.length >= minDistinct) return markedId(value);
  return withShortNamedIds(withShortSession(value, id));
}
