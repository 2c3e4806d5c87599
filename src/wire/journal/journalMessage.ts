import type { ByteChunk } from '../../log/bytes/byteChunk';
import { ByteText } from '../../log/bytes/byteText';
import { ByteTime, isoTimeLength } from '../../log/bytes/byteTime';

const opening = new ByteText('{"t":"');
const ms = new ByteText('","ms":');
const message = new ByteText(',"dir":"a2c","msg":');
const [minus, zero, nine, closeBrace] = [45, 48, 57, 125];

/** Finds an agent's message in the bytes of its line of a journal, as `journalLine` writes it. */
export class JournalMessage {
  private readonly times = new ByteTime();
  /** When it came, in milliseconds since the epoch. */
  t = NaN;
  /** It stands from `start` up to `end`. */
  start = 0;
  end = 0;

  /** Answers whether there is one in the line; what it is has not been looked at. */
  find(chunk: ByteChunk, start: number, end: number): boolean {
    if (chunk.bytes[end - 1] !== closeBrace || !opening.isAt(chunk, start, end)) return false;
    const timeEnd = start + opening.length + isoTimeLength;
    if (!ms.isAt(chunk, timeEnd, end)) return false;
    const at = numberEnd(chunk.bytes, timeEnd + ms.length);
    if (at < 0 || !message.isAt(chunk, at, end)) return false;
    this.t = this.times.read(chunk.bytes, start + opening.length, timeEnd);
    this.start = at + message.length;
    this.end = end - 1;
    return !Number.isNaN(this.t);
  }
}

/** After the whole number at this place; -1 where there is none. */
function numberEnd(bytes: Buffer, start: number): number {
  const first = bytes[start] === minus ? start + 1 : start;
  let at = first;
  for (let digit = bytes[at] ?? 0; digit >= zero && digit <= nine; digit = bytes[at] ?? 0) at++;
  const isNumber = at === first + 1 || (at > first && bytes[first] !== zero);
  return isNumber ? at : -1;
}
