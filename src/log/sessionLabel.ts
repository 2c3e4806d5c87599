import { oneLine } from './text';

/** How a record without a session is filed. */
export const connectionLabel = 'connection';

/**
 * A session's name for a person: its title, else the last 8 characters of its id. Session ids are bearer-like (who has one may
 * resume the session), so they are never shown whole.
 */
export function sessionLabel(sessionId: string, title?: string): string {
  const named = title === undefined ? '' : oneLine(title, 60);
  return named === '' ? shortId(sessionId) : named;
}

/** The last 8 characters of an id. */
export function shortId(id: string): string {
  return oneLine(id.slice(-8), 8) || '(no id)';
}

/** Text in which an id that is known to be a session's is shortened: agents put it into messages and data, too. */
export function withShortSession(text: string, sessionId: string | undefined): string {
  return sessionId === undefined || sessionId.length < 12 ? text : text.replaceAll(sessionId, `…${shortId(sessionId)}`);
}
