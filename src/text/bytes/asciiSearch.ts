import type { ByteChunk } from './byteChunk';

/** Sets the bit that distinguishes a small letter from a capital, in four bytes at once. Other characters that become alike are compared later. */
const cases = 0x20202020;
/** Shorter texts have too few bytes to be distinct; with longer ones, a regular expression skips more. */
const lengths = { min: 5, max: 9 };
/** So far apart are the places that are looked at. */
const step = 4;
/** Of Knuth's multiplicative hashing ("The Art of Computer Programming" 3, 6.4), whose upper bits are the hash. */
const factor = 0x9e3779b1;
/** As many as stay in a processor's nearest cache. */
const hashBits = 12;
const shift = 32 - hashBits;

/**
 * Looks for an ASCII text in bytes, in any case of its letters. Wherever the text is, one of four bytes in a row begins a piece of it that is
 * up to four bytes long: looking at every fourth place is enough to find where it may be. That takes about half the time of an expression
 * that ignores case, which looks at nearly all of them where the text is short.
 */
export class AsciiSearch {
  /** In lower case. */
  private readonly text: Buffer;
  /** Takes a piece out of four bytes. */
  private readonly mask: number;
  /** 1 at the hash of each piece at the first four places: the search looks at one of them wherever the text is. */
  private readonly pieces = new Uint8Array(1 << hashBits);

  /** Answers one for an ASCII text of a length that this is good for. */
  static for(text: string): AsciiSearch | undefined {
    const { length } = text;
    return length >= lengths.min && length <= lengths.max && isAscii(text) ? new AsciiSearch(text) : undefined;
  }

  private constructor(text: string) {
    this.text = Buffer.from(text.toLowerCase(), 'latin1');
    const pieceLength = Math.min(4, this.text.length - step + 1);
    this.mask = pieceLength === 4 ? -1 : (1 << (8 * pieceLength)) - 1;
    const room = Buffer.concat([this.text, Buffer.alloc(4)]);
    for (let at = 0; at < step; at++) {
      this.pieces[Math.imul((room.readInt32LE(at) | cases) & this.mask, factor) >>> shift] = 1;
    }
  }

  /** The first place between the two where all of it fits; -1 if there is none. */
  indexIn({ bytes, words }: ByteChunk, start: number, end: number): number {
    // Written out: as a function, the hash took twice as long.
    const { pieces, mask } = this;
    let at = start;
    for (; at <= end - 16; at += 16) {
      const one = Math.imul((words.getInt32(at, true) | cases) & mask, factor) >>> shift;
      const two = Math.imul((words.getInt32(at + 4, true) | cases) & mask, factor) >>> shift;
      const three = Math.imul((words.getInt32(at + 8, true) | cases) & mask, factor) >>> shift;
      const four = Math.imul((words.getInt32(at + 12, true) | cases) & mask, factor) >>> shift;
      if (pieces[one] === 0 && pieces[two] === 0 && pieces[three] === 0 && pieces[four] === 0) continue;
      const found = this.firstIn(bytes, Math.max(start, at - step + 1), at + 12, end);
      if (found >= 0) return found;
    }
    return this.firstIn(bytes, Math.max(start, at - step + 1), end, end);
  }

  /** Where it begins, from `first` to `last` at most and ending by `end`: each place looked at. */
  private firstIn(bytes: Buffer, first: number, last: number, end: number): number {
    const { text } = this;
    const latest = Math.min(last, end - text.length);
    for (let start = first; start <= latest; start++) {
      let length = 0;
      while (length < text.length && lowerCase(bytes[start + length] ?? 0) === text[length]) length++;
      if (length === text.length) return start;
    }
    return -1;
  }
}

function lowerCase(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}

export function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}
