import type { JsonObject } from '../json';
import { textOf } from '../json';

/** What agents call the id of a session in their streams. */
const names = ['session_id', 'sessionID', 'sessionId', 'thread_id'];

/** The session that an event of a stream names, if it does. */
export function streamSessionId(event: JsonObject): string | undefined {
  for (const name of names) {
    const id = textOf(event[name]);
    if (id !== undefined) return id;
  }
  return undefined;
}
