import { ownHead, ownTail } from '../log/ownText';

/** Maximum length of a session ID, in characters. */
const maxIdLength = 256;

/** Cuts a long ID, always the same way. Keeps its end, which is what the views show. */
export function boundedSessionId(id: string): string {
  return id.length > maxIdLength ? `${ownHead(id, maxIdLength - 9)}…${ownTail(id, 8)}` : id;
}
