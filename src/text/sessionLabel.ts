import { oneLine } from './text';

/** The label of records without a session. */
export const connectionLabel = 'connection';

/**
 * A session's display name: its title, or the last 8 characters of its ID. Complete session IDs are never shown, because anyone who has one may
 * be able to resume the session.
 */
export function sessionLabel(sessionId: string, title?: string): string {
  const named = title === undefined ? '' : oneLine(withShortSession(title, sessionId), 60);
  return named === '' ? shortId(sessionId) : named;
}

/** The last 8 characters of an id. */
export function shortId(id: string): string {
  return oneLine(id.slice(-8), 8) || '(no id)';
}

/** Shortens a session's ID in a text: agents also write it into messages and data. */
export function withShortSession(text: string, sessionId: string | undefined): string {
  return sessionId === undefined || sessionId.length < 12 ? text : shortenId(text, sessionId);
}

/** Shortens this ID in a text. */
export function shortenId(text: string, id: string): string {
  const short = `…${shortId(id)}`;
  return text.replaceAll(id, () => short);
}

/**
 * `sessionId=`, `"session_id":"` and the like before something that looks like an ID. Without quotes, dots and colons show that it is source
 * code or an address (`sessionId: crypto.randomUUID()`, `session id: localhost:3000`).
 */
const namedId =
  /(session[ _-]?id(?:\\?["'])?\s{0,4}[=:]\s{0,4}(?:\\?["'])?)((?<=["'])[\w.:-]{12,256}(?=\\?["'])|[\w-]{12,256}(?![\w-]|\(|::|\.\w{1,80}\())/gi;
const idName = /^session[ _-]?id$/i;
/** Other names of fields with a session's ID, as of a fork's origin, before a UUID or an ID of OpenCode. */
const namedUuid =
  /((?:thread|fork|parent|child|conversation)[a-z_-]{0,20}(?:id|session|thread|from)(?:\\?["'])?\s{0,4}[=:]\s{0,4}(?:\\?["'])?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ses_\w{20,64})(?![\w-])/gi;

/** Shortens session IDs by the names of their fields, for IDs that aren't known yet. */
export function withShortNamedIds(text: string): string {
  return text
    .replace(namedId, (all, name: string, id: string) => (isIdLike(id) ? `${name}…${shortId(id)}` : all))
    .replace(namedUuid, (_, name: string, id: string) => `${name}…${shortId(id)}`);
}

/** Long and with a digit, or of several parts with at least two digits. */
function isIdLike(word: string): boolean {
  return word.length >= 16 ? /\d/.test(word) : /[_-]/.test(word) && /\d.*\d/.test(word);
}

/** Whether a field of this name has a session's id. */
export function namesSession(field: string): boolean {
  return idName.test(field);
}
