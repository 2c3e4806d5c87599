import { oneLine } from './text';

/** How a record without a session is filed. */
export const connectionLabel = 'connection';

/**
 * A session's name for a person: its title, else the last 8 characters of its id. Session ids are bearer-like (who has one may
 * resume the session), so they are never shown whole.
 */
export function sessionLabel(sessionId: string, title?: string): string {
  const named = title === undefined ? '' : oneLine(withShortSession(title, sessionId), 60);
  return named === '' ? shortId(sessionId) : named;
}

/** The last 8 characters of an id. */
export function shortId(id: string): string {
  return oneLine(id.slice(-8), 8) || '(no id)';
}

/** Text in which an id that is known to be a session's is shortened: agents put it into messages and data, too. */
export function withShortSession(text: string, sessionId: string | undefined): string {
  return sessionId === undefined || sessionId.length < 12 ? text : shortenId(text, sessionId);
}

/**
 * Text in which this id is shortened, whatever it is.
 * @param written the id as the text has it, if that escapes it
 */
export function shortenId(text: string, id: string, written = id): string {
  const short = `…${shortId(id)}`;
  return text.replaceAll(written, () => short);
}

/**
 * `sessionId=`, `"session_id":"` and the like, before what looks as ids do. Without quotes it may be source code or an address
 * (`sessionId: crypto.randomUUID()`, `session id: localhost:3000`), which dots and colons tell.
 */
const namedId =
  /(session[ _-]?id(?:\\?["'])?\s{0,4}[=:]\s{0,4}(?:\\?["'])?)((?<=["'])[\w.:-]{12,256}(?=\\?["'])|[\w-]{12,256}(?![\w-]|\(|::|\.\w{1,80}\())/gi;
const idName = /^session[ _-]?id$/i;

/** Text in which session ids are shortened by the names of their fields, for ids that haven't been reported yet. */
export function withShortNamedIds(text: string): string {
  return text.replace(namedId, (all, name: string, id: string) => (isIdLike(id) ? `${name}…${shortId(id)}` : all));
}

/** Long and with a digit, or shorter and of several parts with more of them. */
function isIdLike(word: string): boolean {
  return word.length >= 16 ? /\d/.test(word) : /[_-]/.test(word) && /\d.*\d/.test(word);
}

/** Whether a field of this name has a session's id. */
export function namesSession(field: string): boolean {
  return idName.test(field);
}
