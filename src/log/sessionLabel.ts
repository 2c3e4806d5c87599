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
