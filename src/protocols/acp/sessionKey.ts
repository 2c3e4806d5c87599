import { ownHead } from '../../log/ownText';

/** A longer id is cut: it is only a name to remember something by. */
const maxId = 256;

/** What an id stands for in its session: agents count from the beginning in each. */
export function sessionKey(sessionId: string | undefined, id: string): string {
  return `${sessionId ?? ''}\n${ownHead(id, maxId)}`;
}
