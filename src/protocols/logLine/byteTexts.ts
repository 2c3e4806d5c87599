import type { ByteChunk } from '../../log/byteChunk';

/** 2 to the power of 10. */
const slots = 1024;
/** Spreads what differs in few bits over the upper ones (Knuth, "The Art of Computer Programming", 6.4). */
const spread = 0x9e3779b1 | 0;
/** A longer text is not kept. */
const maxBytes = 256;

interface Kept<T> {
  readonly words: Int32Array;
  readonly length: number;
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
    const hash = length < 4 ? shortWord(chunk, start, end) : hashOf(chunk, start, end);
    const slot = Math.imul(hash ^ (hash >>> 16), spread) >>> 22;
    const known = this.kept[slot];
    if (known && isSame(known, chunk, start, end)) return known.value;
    const value = this.valueOf(chunk.bytes.toString('utf8', start, end));
    this.kept[slot] = { words: wordsOf(chunk, start, end), length, value };
    return value;
  }
}

/** Ids of sessions mostly differ at their ends. */
function hashOf(chunk: ByteChunk, start: number, end: number): number {
  const [first, middle, last] = [start, start + ((end - start - 4) >> 1), end - 4];
  return Math.imul(chunk.word(first), 31) ^ chunk.word(middle) ^ Math.imul(chunk.word(last), spread);
}

/** Up to three bytes, as one number. */
function shortWord({ bytes }: ByteChunk, start: number, end: number): number {
  let word = 0;
  for (let at = start; at < end; at++) word = (word << 8) | (bytes[at] ?? 0);
  return word;
}

function isSame<T>({ words, length }: Kept<T>, chunk: ByteChunk, start: number, end: number): boolean {
  if (length !== end - start) return false;
  if (length < 4) return words[0] === shortWord(chunk, start, end);
  const last = words.length - 1;
  for (let n = 0; n < last; n++) if (words[n] !== chunk.word(start + n * 4)) return false;
  return words[last] === chunk.word(end - 4);
}

/** The last one ends with the text: it may have some of the bytes of the one before. */
function wordsOf(chunk: ByteChunk, start: number, end: number): Int32Array {
  if (end - start < 4) return Int32Array.of(shortWord(chunk, start, end));
  const count = Math.ceil((end - start) / 4);
  return Int32Array.from({ length: count }, (_, n) => chunk.word(n === count - 1 ? end - 4 : start + n * 4));
}
