import { oneLine } from './text';

/** The label of records without a session. */
export const connectionLabel = 'connection';

/** Shorter IDs are shown whole, and may be parts of words. */
const minCut = 12;
/** A word and a number that counts, such as `session-10042`. */
const counter = /^[a-z]{1,20}[-_]?\d{1,6}$/i;

/** The longest of these, in characters. */
const maxWhole = 27;

/** A session's display name: its title, or its short ID. */
export function sessionLabel(sessionId: string, title?: string): string {
  const named = title === undefined ? '' : oneLine(withShortSession(title, sessionId), 60);
  return named === '' ? shortId(sessionId) : named;
}

/**
 * The last 8 characters of an ID. One that is short or only counts is whole: others are never shown completely, because anyone who has one may
 * be able to resume the session.
 */
export function shortId(id: string): string {
  return oneLine(isCut(id) ? id.slice(-8) : id, maxWhole) || '(no id)';
}

/** Whether less than the whole ID is shown. */
export function isCut(id: string): boolean {
  return id.length >= minCut && !counter.test(id);
}

/** The same in a text, where `…` says that it isn't the whole. */
export function markedId(id: string): string {
  return isCut(id) ? `…${shortId(id)}` : shortId(id);
}

/** Shortens a session's ID in a text: agents also write it into messages and data. */
export function withShortSession(text: string, sessionId: string | undefined): string {
  return sessionId === undefined || !isCut(sessionId) ? text : shortenId(text, sessionId);
}

/** Shortens this ID in a text. */
export function shortenId(text: string, id: string): string {
  const short = markedId(id);
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
    .replace(namedId, (all, name: string, id: string) => (isIdLike(id) ? `${name}${markedId(id)}` : all))
    .replace(namedUuid, (_, name: string, id: string) => `${name}${markedId(id)}`);
}

/** Long and with a digit, or of several parts with at least two digits. */
function isIdLike(word: string): boolean {
  return word.length >= 16 ? /\d/.test(word) : /[_-]/.test(word) && /\d.*\d/.test(word);
}

/** Whether a field of this name has a session's id. */
export function namesSession(field: string): boolean {
  return idName.test(field);
}
