import { ByteChunk } from './byteChunk';

/** A text that is looked for at certain places, by its bytes. */
export class ByteText {
  /** In bytes. */
  readonly length: number;
  private readonly bytes: Buffer;
  /**
   * Eight bytes each; the last one ends with the text, so that it may have some of the bytes of the one before. None of a text that is shorter. Valid
   * UTF-8 without control characters has no bytes that are a NaN or a zero, which would not be compared bit by bit.
   */
  private readonly doubles: readonly number[];
  /** Likewise, of four bytes, of a text that is too short for eight. */
  private readonly words: readonly number[];

  constructor(text: string) {
    const chunk = new ByteChunk(Buffer.from(text));
    this.bytes = chunk.bytes;
    this.length = chunk.bytes.length;
    this.doubles = pieces(this.length, 8, (at) => chunk.double(at));
    this.words = this.doubles.length > 0 ? [] : pieces(this.length, 4, (at) => chunk.word(at));
  }

  /** Whether the text is at this place, and ends by `end`. */
  isAt(chunk: ByteChunk, start: number, end: number): boolean {
    const { length, doubles } = this;
    if (end - start < length) return false;
    const last = doubles.length - 1;
    if (last < 0) return this.isShortAt(chunk, start);
    for (let n = 0; n < last; n++) if (chunk.double(start + n * 8) !== doubles[n]) return false;
    return chunk.double(start + length - 8) === doubles[last];
  }

  private isShortAt(chunk: ByteChunk, start: number): boolean {
    const { length, words } = this;
    if (words.length > 0) {
      return chunk.word(start) === words[0] && chunk.word(start + length - 4) === words[words.length - 1];
    }
    for (let n = 0; n < length; n++) if (chunk.bytes[start + n] !== this.bytes[n]) return false;
    return true;
  }
}

function pieces(length: number, size: number, at: (index: number) => number): readonly number[] {
  const last = length - size;
  return Array.from({ length: last < 0 ? 0 : Math.ceil(length / size) }, (_, n) => at(Math.min(n * size, last)));
}
