import { contents } from '../../kernel/fragment';
import type { ByteChunk } from './byteChunk';

/** `ascii` and `utf8` (valid, beyond ASCII) have no control characters; everything else is `other`. */
export type LineContent = 'ascii' | 'utf8' | 'other';

const [space, lastAscii] = [32, 127];

/**
 * A line without its line break. One that was read has its bytes, from `start` up to `end` in `chunk`, and is decoded when its text is first
 * asked for. After that it has no bytes: callers that keep a line must not keep the whole chunk.
 */
export class Line {
  private decoded: string | undefined;

  /**
   * @param found what the kernel found in its bytes, or in more of the same line
   * @param bytes the length of the whole line in bytes, if this is only its beginning
   */
  constructor(
    private source: ByteChunk | undefined,
    readonly start: number,
    readonly end: number,
    readonly found: number,
    readonly bytes?: number,
  ) {}

  static of(text: string, bytes?: number): Line {
    const line = new Line(undefined, 0, 0, 0, bytes);
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
    if (!this.source || (this.found & (contents.control | contents.invalid)) !== 0) return 'other';
    return (this.found & contents.beyondAscii) === 0 ? 'ascii' : 'utf8';
  }

  get hasEscapes(): boolean {
    return (this.found & contents.backslash) !== 0;
  }

  /** False only if there is certainly no secret in it that the redactor's own rules find. */
  get isCandidate(): boolean {
    return !this.source || (this.found & contents.candidate) !== 0;
  }

  /** Whether there is nothing but white space in it. */
  get isBlank(): boolean {
    const first = this.source?.bytes[this.start];
    const isVisible = first !== undefined && first > space && first < lastAscii;
    return !isVisible && this.decode().trim() === '';
  }

  /** Its text for a search that keeps nothing of it. It may share its memory with the chunk. */
  get searchText(): string {
    return this.decode();
  }

  private decode(): string {
    return (this.decoded ??= this.source?.bytes.toString('utf8', this.start, this.end) ?? '');
  }
}
