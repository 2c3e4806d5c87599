import type { ByteChunk } from '../../log/bytes/byteChunk';
import { ByteText } from '../../log/bytes/byteText';

/** 2 to the power of 10. */
const slots = 1024;
/** Spreads what differs in few bits over the upper ones (Knuth, "The Art of Computer Programming", 6.4). */
const spread = 0x9e3779b1 | 0;
/** A longer text is not kept. */
const maxBytes = 256;

interface Kept<T> {
  readonly text: ByteText;
  readonly value: T;
}

/** What texts that come again and again stand for, found by their bytes: nothing is decoded twice. Bounded: of two in one slot the newer stays. */
export class ByteTexts<T> {
  private readonly kept: (Kept<T> | undefined)[] = new Array<Kept<T> | undefined>(slots).fill(undefined);

  /** @param valueOf of texts of 1 to 256 bytes */
  constructor(private readonly valueOf: (text: string) => T) {}

  /** The value of the text; it is valid UTF-8. `undefined` for one that is empty or too long to be kept, too. */
  get(chunk: ByteChunk, start: number, end: number): T | undefined {
    const length = end - start;
    if (length < 1 || length > maxBytes) return undefined;
    const hash = length < 4 ? shortHash(chunk, start, end) : hashOf(chunk, start, end);
    const slot = Math.imul(hash ^ (hash >>> 16), spread) >>> 22;
    const known = this.kept[slot];
    if (known?.text.length === length && known.text.isAt(chunk, start, end)) return known.value;
    const text = chunk.bytes.toString('utf8', start, end);
    const value = this.valueOf(text);
    this.kept[slot] = { text: new ByteText(text), value };
    return value;
  }
}

/** Ids of sessions mostly differ at their ends. */
function hashOf(chunk: ByteChunk, start: number, end: number): number {
  const [first, middle, last] = [start, start + ((end - start - 4) >> 1), end - 4];
  return Math.imul(chunk.word(first), 31) ^ chunk.word(middle) ^ Math.imul(chunk.word(last), spread);
}

/** Of up to three bytes. */
function shortHash({ bytes }: ByteChunk, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (hash << 8) | (bytes[at] ?? 0);
  return hash;
}
