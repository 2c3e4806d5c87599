import { valueOrFields } from '../../protocols/leadingFields';
import type { Protocol } from '../../log/protocol';
import { spokenProtocol } from '../../protocols/spokenProtocol';
import type { ToThread } from './threadMessage';

/** A first message is mostly far shorter, in bytes. */
const maxBytes = 64 * 1024;
/** If these lines do not tell, more would not either. */
const maxLines = 5;

/** What client and agent speak, as far as these bytes tell. */
export function spokenIn(message: ToThread): Protocol | undefined {
  if (message.type !== 'chunk' || message.dir === 'err') return undefined;
  const { buffer, byteOffset, byteLength } = message.bytes;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8', 0, maxBytes);
  return spokenProtocol(
    // A line that goes on in the next bytes counts by its beginning; one that is no JSON is its text.
    text.split('\n', maxLines).map((line) => valueOrFields(line) ?? line),
  );
}
