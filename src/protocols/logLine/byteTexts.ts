import { ByteChunk } from '../../text/bytes/byteChunk';

/** Spreads differences in a few bits to the upper bits (Knuth, "The Art of Computer Programming", 6.4). */
const spread = 0x9e3779b1 | 0;
/** Maximum length of a text, in bytes. */
const maxBytes = 256;
/** Maximum length of a cached text, in bytes: that of a session ID with a prefix. */
const slotBytes = 64;

/**
 * Caches the values of recurring texts by their bytes, so that none is decoded twice. Bounded: a newer text replaces the older one in its slot. The
 * texts are in one block of memory, because an object for each would mostly be fetched from beyond the processor's caches.
 */
export class ByteTexts<T> {
  private readonly texts: ByteChunk;
  /** In bytes; 0 for an empty slot. */
  private readonly lengths: Uint8Array;
  private readonly values: (T | undefined)[];

  /**
   * @param valueOf called with texts of 1 to 256 bytes
   * @param bits hashes are cut to these, so there are 2 ** `bits` slots
   */
  constructor(
    private readonly valueOf: (text: string) => T,
    private readonly bits: number,
  ) {
    const slots = 2 ** bits;
    this.texts = new ByteChunk(Buffer.alloc(slots * slotBytes));
    this.lengths = new Uint8Array(slots);
    this.values = new Array<T | undefined>(slots).fill(undefined);
  }

  /** The value of the text, which must be valid UTF-8. `undefined` for texts that are empty or too long. */
  get(chunk: ByteChunk, start: number, end: number): T | undefined {
    const length = end - start;
    if (length < 1 || length > maxBytes) return undefined;
    if (length > slotBytes) return this.valueAt(chunk, start, end);
    const hash = length < 4 ? shortHash(chunk, start, end) : hashOf(chunk, start, end);
    const slot = Math.imul(hash ^ (hash >>> 16), spread) >>> (32 - this.bits);
    const place = slot * slotBytes;
    if (this.lengths[slot] === length && chunk.equals(this.texts, place, start, end)) return this.values[slot];
    const value = this.valueAt(chunk, start, end);
    chunk.copyTo(this.texts, place, start, end);
    this.lengths[slot] = length;
    this.values[slot] = value;
    return value;
  }

  private valueAt({ bytes }: ByteChunk, start: number, end: number): T {
    return this.valueOf(bytes.toString('utf8', start, end));
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
