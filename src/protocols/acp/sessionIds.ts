import { boundedJson } from '../../log/boundedJson';
import type { RecordDraft } from '../../log/record';
import { namesSession, shortId, withShortNamedIds, withShortSession } from '../../log/sessionLabel';
import type { JsonObject } from '../json';
import { isObject, textOf } from '../json';
import { boundedSessionId } from '../sessionId';

/** More sessions than this in one run are no work of a person: what comes for further ones is filed together. */
const maxSessions = 1000;
/** A shorter id may be part of a word. */
const minDistinct = 12;
/** So many sessions, the newest, are looked for in a line. */
const maxSearched = 50;

/** Where the records of the sessions beyond the limit are filed. */
export const otherSessions = 'other sessions';

/** The session ids of a run, bounded in number and length. */
export class SessionIds {
  /** Each by itself: every message brings a copy of its own, and one of them is enough to be kept. */
  private readonly known = new Map<string, string>();

  /** @param onSeen takes an id the first time it comes */
  constructor(private readonly onSeen: (sessionId: string, at: number) => void) {}

  /** The session that parameters or a result belong to, if any. */
  of(fields: JsonObject, at: number): string | undefined {
    // Some write it as their own language does.
    const id = textOf(fields['sessionId']) ?? textOf(fields['session_id']);
    return id === undefined ? undefined : this.file(id, at);
  }

  /** A record whose text names a session becomes that session's, and names it by the end of its id only: ids are bearer-like. */
  attribute(draft: RecordDraft): RecordDraft {
    const json = draft.data === undefined ? '' : boundedJson(draft.data);
    for (const id of [...this.known.keys()].slice(-maxSearched)) {
      if (id.length < minDistinct || !(draft.message.includes(id) || json.includes(id))) continue;
      const data = json.includes(id) && isObject(draft.data) ? { data: shortened(draft.data, id) } : {};
      const message = withShortNamedIds(withShortSession(draft.message, id));
      return { ...draft, sessionId: id, message, ...data };
    }
    // A session may be named before anybody has told of it.
    const data = /session/i.test(json) && isObject(draft.data) ? { data: shortened(draft.data, undefined) } : {};
    return { ...draft, message: withShortNamedIds(draft.message), ...data };
  }

  /** The id to file by. */
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
  if (namesSession(name) && value.length >= minDistinct) return `…${shortId(value)}`;
  return withShortNamedIds(withShortSession(value, id));
}
