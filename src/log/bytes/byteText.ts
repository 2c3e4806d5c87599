import { ByteChunk } from './byteChunk';

/** A text that is looked for at certain places, by its bytes. */
export class ByteText {
  /** In bytes. */
  readonly length: number;
  private readonly bytes: Buffer;
  /** The last one ends with the text: it may have some of the bytes of the one before. None of a text that is shorter. */
  private readonly words: readonly number[];

  constructor(text: string) {
    const chunk = new ByteChunk(Buffer.from(text));
    this.bytes = chunk.bytes;
    this.length = chunk.bytes.length;
    const last = this.length - 4;
    const count = last < 0 ? 0 : Math.ceil(this.length / 4);
    this.words = Array.from({ length: count }, (_, n) => chunk.word(Math.min(n * 4, last)));
  }

  /** Whether the text is at this place, and ends by `end`. */
  isAt(chunk: ByteChunk, start: number, end: number): boolean {
    if (end - start < this.length) return false;
    const last = this.words.length - 1;
    if (last < 0) return this.isShortAt(chunk.bytes, start);
    for (let n = 0; n < last; n++) if (chunk.word(start + n * 4) !== this.words[n]) return false;
    return chunk.word(start + this.length - 4) === this.words[last];
  }

  private isShortAt(bytes: Buffer, start: number): boolean {
    for (let n = 0; n < this.length; n++) if (bytes[start + n] !== this.bytes[n]) return false;
    return true;
  }
}
