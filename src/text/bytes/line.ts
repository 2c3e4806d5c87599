import type { ByteChunk } from './byteChunk';

/** `ascii` and `utf8` (valid, beyond ASCII) have no control characters; everything else is `other`. */
export type LineContent = 'ascii' | 'utf8' | 'other';

/** The bytes to look at need at least this many. */
const minBytes = 4;
const replacement = '\ufffd';
const [space, lastAscii] = [32, 127];

/**
 * A line without its line break. One that was read has its bytes, from `start` up to `end` in `chunk`, and is decoded when its text is first
 * asked for. After that it has no bytes: callers that keep a line must not keep the whole chunk.
 */
export class Line {
  private decoded: string | undefined;
  private knownContent: LineContent | undefined;

  /** @param bytes the length of the whole line in bytes, if this is only its beginning */
  constructor(
    private source: ByteChunk | undefined,
    readonly start: number,
    readonly end: number,
    readonly bytes?: number,
  ) {}

  static of(text: string, bytes?: number): Line {
    const line = new Line(undefined, 0, 0, bytes);
    line.decoded = text;
    return line;
  }

  /** Its bytes, and those of other lines; absent if it was made from text, or decoded. */
  get chunk(): ByteChunk | undefined {
    return this.source;
  }

  /** Invalid UTF-8 becomes U+FFFD. */
  get text(): string {
    const text = this.decode();
    this.source = undefined;
    return text;
  }

  /** What its bytes are; `other` if it has none. */
  get content(): LineContent {
    return (this.knownContent ??= this.readContent());
  }

  /** Whether there is nothing but white space in it. */
  get isBlank(): boolean {
    const first = this.source?.bytes[this.start];
    const isVisible = first !== undefined && first > space && first < lastAscii;
    return !isVisible && this.decode().trim() === '';
  }

  /** Its text for a search that keeps nothing of it. It may share its memory with the chunk. */
  get searchText(): string {
    return this.searchTextFrom(this.start);
  }

  /** The same from a place in its bytes on; all of it if it isn't ASCII. */
  searchTextFrom(start: number): string {
    const { source } = this;
    return source && this.content === 'ascii' ? source.text.slice(start, this.end) : this.decode();
  }

  private decode(): string {
    return (this.decoded ??= this.source?.bytes.toString('utf8', this.start, this.end) ?? '');
  }

  private readContent(): LineContent {
    const { source, start, end } = this;
    if (!source || end - start < minBytes) return 'other';
    const found = source.lineBytes(start, end);
    if (found === 'control') return 'other';
    return found === 'ascii' || !this.decode().includes(replacement) ? found : 'other';
  }
}
