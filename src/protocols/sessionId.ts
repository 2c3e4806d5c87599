import { ownHead, ownTail } from '../log/ownText';

/** An id longer than this is cut: it is only a name to file by. */
const maxIdLength = 256;

/** The id, cut if it is too long: always the same way, and with its end, by which it is shown. */
export function boundedSessionId(id: string): string {
  return id.length > maxIdLength ? `${ownHead(id, maxIdLength - 9)}…${ownTail(id, 8)}` : id;
}
