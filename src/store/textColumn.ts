import type { ByteChunk } from '../text/bytes/byteChunk';
import type { TextTest } from '../query/textTest';

/** Follows each text. It never occurs in UTF-8, so no search finds anything across two texts. */
const separator = 0xff;

/** A column of texts in UTF-8: all of them are searched at once, and the garbage collector doesn't see them. */
export class TextColumn {
  /**
   * @param chunk room for the texts
   * @param starts room for the start of each text
   * @param used start of the next text
   * @param count number of texts
   */
  constructor(
    private readonly chunk: ByteChunk,
    private readonly starts: Uint32Array,
    private used: number,
    private count = 0,
  ) {}

  /** Start of the next text. */
  get end(): number {
    return this.used;
  }

  /** Lone surrogates become U+FFFD. */
  add(text: string): void {
    this.close(this.used + this.bytes.write(text, this.used));
  }

  /** Adds a text that is already valid UTF-8. */
  addBytes(source: ByteChunk, start: number, end: number): void {
    this.close(source.copyTo(this.chunk, this.used, start, end));
  }

  at(index: number): string {
    return this.bytes.toString('utf8', this.starts[index] ?? 0, this.endOf(index));
  }

  /** In bytes. */
  lengthAt(index: number): number {
    return this.endOf(index) - (this.starts[index] ?? 0);
  }

  /** Copies a text's bytes. */
  copy(index: number, target: Uint8Array, at: number): void {
    this.bytes.copy(target, at, this.starts[index] ?? 0, this.endOf(index));
  }

  /** The indexes of matching texts from `first` on, ascending. */
  matches(test: TextTest, first: number): number[] {
    return test.isAscii ? this.matchesInBytes(test, first) : this.matchesOneByOne(test, first);
  }

  private get bytes(): Buffer {
    return this.chunk.bytes;
  }

  private close(end: number): void {
    this.starts[this.count++] = this.used;
    this.bytes[end] = separator;
    this.used = end + 1;
  }

  private endOf(index: number): number {
    return (index + 1 < this.count ? (this.starts[index + 1] ?? 0) : this.used) - 1;
  }

  private matchesInBytes(test: TextTest, first: number): number[] {
    const found: number[] = [];
    if (first >= this.count) return found;
    const start = this.starts[first] ?? 0;
    const indexFrom = this.finder(test, start);
    let index = first;
    for (let at = indexFrom(start); at >= 0; at = indexFrom(this.endOf(index))) {
      index = this.indexAt(at, index);
      found.push(index);
    }
    return found;
  }

  /** Finds ASCII in the bytes from `start` on. ASCII bytes are never part of other characters, so nothing has to be decoded. */
  private finder(test: TextTest, start: number): (from: number) => number {
    const { search } = test;
    if (search) return (from) => search.indexIn(this.chunk, from, this.used);
    const text = this.bytes.toString('latin1', start, this.used);
    return (from) => {
      const at = test.indexIn(text, from - start);
      return at < 0 ? -1 : at + start;
    };
  }

  private matchesOneByOne(test: TextTest, first: number): number[] {
    const found: number[] = [];
    for (let index = first; index < this.count; index++) if (test.isIn(this.at(index))) found.push(index);
    return found;
  }

  /** Which text a byte belongs to: a binary search from `low` on. */
  private indexAt(byte: number, low: number): number {
    let [from, to] = [low, this.count - 1];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= byte) from = middle;
      else to = middle - 1;
    }
    return from;
  }
}
