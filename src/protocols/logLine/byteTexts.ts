import type { ByteChunk } from '../../log/bytes/byteChunk';
import { ByteText } from '../../log/bytes/byteText';

/** The hash is cut to 10 bits, so this must be 2 ** 10. */
const slots = 1024;
/** Spreads differences in a few bits to the upper bits (Knuth, "The Art of Computer Programming", 6.4). */
const spread = 0x9e3779b1 | 0;
/** Maximum length of a cached text, in bytes. */
const maxBytes = 256;

interface Kept<T> {
  readonly text: ByteText;
  readonly value: T;
}

/** Caches the values of recurring texts by their bytes, so that none is decoded twice. Bounded: a newer text replaces the older one in its slot. */
export class ByteTexts<T> {
  private readonly kept: (Kept<T> | undefined)[] = new Array<Kept<T> | undefined>(slots).fill(undefined);

  /** @param valueOf called with texts of 1 to 256 bytes */
  constructor(private readonly valueOf: (text: string) => T) {}

  /** The value of the text, which must be valid UTF-8. `undefined` for texts that are empty or too long. */
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

/** Session IDs differ mostly at their ends. */
function hashOf(chunk: ByteChunk, start: number, end: number): number {
  const [first, middle, last] = [start, start + ((end - start - 4) >> 1), end - 4];
  return Math.imul(chunk.word(first), 31) ^ chunk.word(middle) ^ Math.imul(chunk.word(last), spread);
}

/** For up to three bytes. */
function shortHash({ bytes }: ByteChunk, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (hash << 8) | (bytes[at] ?? 0);
  return hash;
}
