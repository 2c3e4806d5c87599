import { ByteChunk } from '../../log/bytes/byteChunk';
import { Line } from '../../log/bytes/line';
import type { Envelope } from '../envelopes';
import { EnvelopeScanner } from '../envelopes';

/** Maximum length of the beginning of a line over the limit that is kept, in bytes. */
export const headBytes = 4096;

export interface LineOptions {
  /** Called with the bytes of lines over the limit as they arrive, without line breaks. The buffer is only valid during the call. */
  readonly onPiece?: (bytes: Buffer) => void;
  /** Maximum length of a line over the limit that is kept whole, in bytes. Default: 0. */
  readonly maxWholeBytes?: number;
}

/** The beginning of a line over the limit. */
export class CutLine extends Line {
  /**
   * @param head its beginning
   * @param bytes length of the whole line
   * @param envelopes the JSON-RPC messages in the line
   * @param whole all bytes, if `maxWholeBytes` allows it
   */
  constructor(
    head: Buffer,
    override readonly bytes: number,
    readonly envelopes: readonly Envelope[],
    readonly whole: Buffer | undefined,
  ) {
    super(new ByteChunk(head), 0, head.length, bytes);
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
  /** All bytes so far, with spare capacity, because a chunk may be a single byte. */
  private whole = Buffer.alloc(0);
  private bytes = 0;

  constructor(
    maxLineBytes: number,
    private readonly options: LineOptions = {},
  ) {
    this.headLeft = Math.min(headBytes, maxLineBytes);
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const start = this.bytes;
    this.bytes += bytes.length;
    this.options.onPiece?.(bytes);
    this.scanner.add(bytes);
    if (this.headLeft > 0) {
      // A copy: a slice would keep the whole chunk in memory.
      const wanted = Buffer.from(bytes.subarray(0, this.headLeft));
      this.head.push(wanted);
      this.headLeft -= wanted.length;
    }
    if (this.isHeld) this.hold(bytes, start);
    else this.whole = Buffer.alloc(0);
  }

  end(): CutLine {
    const whole = this.isHeld ? this.whole.subarray(0, this.bytes) : undefined;
    return new CutLine(Buffer.concat(this.head), this.bytes, this.scanner.envelopes, whole);
  }

  private hold(bytes: Buffer, start: number): void {
    if (this.whole.length < this.bytes) {
      const more = Buffer.allocUnsafeSlow(2 * this.bytes);
      this.whole.copy(more, 0, 0, start);
      this.whole = more;
    }
    bytes.copy(this.whole, start);
  }

  private get isHeld(): boolean {
    return this.bytes <= (this.options.maxWholeBytes ?? 0);
  }
}
