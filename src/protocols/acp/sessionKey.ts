import { ownHead } from '../../log/ownText';

/** Longer IDs are cut: they are only used as map keys. */
const maxId = 256;

/** Qualifies an ID by its session, because agents start counting again in each. */
export function sessionKey(sessionId: string | undefined, id: string): string {
  return `${sessionId ?? ''}\n${ownHead(id, maxId)}`;
}
