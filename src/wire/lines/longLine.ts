import { kernel } from '../../redact/sought';
import { ByteChunk } from '../../text/bytes/byteChunk';
import { Line } from '../../text/bytes/line';
import { wholeWordsOf } from '../../text/wholeWords';
import type { Envelope } from '../envelopes';
import { EnvelopeScanner } from '../envelopes';

/** Maximum length of the beginning of a line over the limit that is kept, in bytes. */
export const headBytes = 4096;
/** Size of the blocks of a line that is kept whole, in bytes. */
const blockBytes = 1024 * 1024;

export interface LineOptions {
  /** Called with the bytes of lines over the limit as they arrive, without line breaks. The buffer is only valid during the call. */
  readonly onPiece?: (bytes: Buffer) => void;
  /** Maximum length of a line over the limit that is kept whole, in bytes. Default: 0. */
  readonly maxWholeBytes?: number;
}

/** The beginning of a line over the limit. It ends in no part of a word, because it is redacted later. */
export class CutLine extends Line {
  private joined: Buffer | undefined;

  /**
   * @param head its beginning
   * @param bytes length of the whole line
   * @param envelopes the JSON-RPC messages in the line
   * @param blocks all bytes, if `maxWholeBytes` allows it, and perhaps more
   */
  constructor(
    head: Buffer,
    override readonly bytes: number,
    readonly envelopes: readonly Envelope[],
    private readonly blocks: readonly Buffer[] | undefined,
  ) {
    const kept = bytes > head.length ? Buffer.from(wholeWordsOf(head)) : head;
    super(new ByteChunk(kept), 0, kept.length, kernel.contents(kept), bytes);
  }

  get isWhole(): boolean {
    return this.blocks !== undefined;
  }

  /** All bytes, if they were kept. */
  get whole(): Buffer | undefined {
    return (this.joined ??= this.blocks && Buffer.concat(this.blocks, this.bytes));
  }
}

/**
 * Collects a line over the limit as its bytes arrive: its beginning, its length, and which messages it contains; the whole line only up to
 * `maxWholeBytes`.
 */
export class LongLine {
  private readonly scanner = new EnvelopeScanner();
  private readonly head: Buffer[] = [];
  private headLeft: number;
  /** All bytes so far, in blocks: chunks may be single bytes. */
  private blocks: Buffer[] = [];
  /** Number of unused bytes of the last block. */
  private room = 0;
  private bytes = 0;

  constructor(
    maxLineBytes: number,
    private readonly options: LineOptions = {},
  ) {
    this.headLeft = Math.min(headBytes, maxLineBytes);
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.bytes += bytes.length;
    this.options.onPiece?.(bytes);
    this.scanner.add(bytes);
    if (this.headLeft > 0) {
      // A copy: a slice would keep the whole chunk in memory.
      const wanted = Buffer.from(bytes.subarray(0, this.headLeft));
      this.head.push(wanted);
      this.headLeft -= wanted.length;
    }
    if (this.isHeld) this.hold(bytes);
    else this.blocks = [];
  }

  end(): CutLine {
    const blocks = this.isHeld ? this.blocks : undefined;
    return new CutLine(Buffer.concat(this.head), this.bytes, this.scanner.envelopes, blocks);
  }

  private hold(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      let block = this.blocks.at(-1);
      if (!block || this.room === 0) this.blocks.push((block = Buffer.allocUnsafeSlow((this.room = blockBytes))));
      const copied = bytes.copy(block, block.length - this.room, at);
      at += copied;
      this.room -= copied;
    }
  }

  private get isHeld(): boolean {
    return this.bytes <= (this.options.maxWholeBytes ?? 0);
  }
}
