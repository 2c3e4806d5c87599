import { kernel } from '../../redact/sought';
import { ByteChunk } from '../../text/bytes/byteChunk';
import { Line } from '../../text/bytes/line';
import type { LineOptions } from './longLine';
import { LongLine } from './longLine';
import { wholeLine } from './wholeLine';

const [lineFeed, carriageReturn] = [10, 13];
/**
 * Maximum number of bytes that are looked at at once: they stay in the processor's cache, and V8 allocates each longer text separately, which takes
 * longer than decoding it.
 */
const pieceBytes = 64 * 1024;
const nothing = Buffer.alloc(0);
/** The numbers of a row. */
const rowLength = 3;

interface Current {
  readonly chunk: ByteChunk;
  readonly rows: Int32Array;
  /** Index of the next row. */
  next: number;
}

/**
 * Splits bytes into lines, in linear time and bounded memory: a partial line is a list of chunks that are concatenated once, and `LongLine` decides
 * what to keep of a line over the limit. Callers pull lines, so that they can pause between two in a flood.
 */
export class LineReader {
  private readonly chunks: Buffer[] = [];
  /** The first chunk, and the kernel's rows of it. */
  private current: Current | undefined;
  private offset = 0;
  private partial: Buffer[] = [];
  private partialBytes = 0;
  /** The partial line if it is over the limit; `partial` is then empty. */
  private long: LongLine | undefined;

  /** @param maxLineBytes longer lines become a `CutLine` */
  constructor(
    private readonly maxLineBytes: number,
    private readonly options: LineOptions = {},
  ) {}

  /** Appends bytes. */
  push(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) {
      const end = pieceEnd(chunk, start);
      this.chunks.push(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end));
      start = end;
    }
  }

  /** The next line, a `CutLine` if it is over the limit, or `undefined` if more bytes are needed. */
  next(): Line | undefined {
    for (let chunk = this.first; chunk; chunk = this.first) {
      const line = this.nextIn(chunk);
      if (line) return line;
      this.hold(this.offset === 0 ? chunk : chunk.subarray(this.offset));
      this.advance(chunk, chunk.length);
    }
    return undefined;
  }

  /** Removes up to `max` available bytes that aren't lines. Call it only at the end of a line. */
  takeBytes(max: number): Buffer {
    const [chunk] = this.chunks;
    if (!chunk) return nothing;
    const bytes = chunk.subarray(this.offset, this.offset + max);
    this.advance(chunk, this.offset + bytes.length);
    return bytes;
  }

  /** The text after the last line feed, if any. Call it after the last byte, when `next` has returned all lines. */
  end(): Line | undefined {
    return this.isPartial ? this.complete(nothing) : undefined;
  }

  private get isPartial(): boolean {
    return this.partialBytes > 0 || this.long !== undefined;
  }

  /** Checks the length, because V8 deoptimizes the code at the first access out of bounds. */
  private get first(): Buffer | undefined {
    return this.chunks.length > 0 ? this.chunks[0] : undefined;
  }

  /** The next line that ends in the first chunk, with what was there before it. */
  private nextIn(chunk: Buffer): Line | undefined {
    const current = (this.current ??= { chunk: new ByteChunk(chunk), rows: kernel.lines(chunk), next: 0 });
    const { rows } = current;
    // The last row has no line feed; rows before the offset were taken as bytes.
    for (; current.next + rowLength < rows.length; current.next += rowLength) {
      const after = rows[current.next + rowLength] ?? 0;
      if (after <= this.offset) continue;
      const [start, end, found = 0] = [this.offset, rows[current.next + 1] ?? 0, rows[current.next + 2]];
      current.next += rowLength;
      this.advance(chunk, after);
      const isWhole = !this.isPartial && after - 1 - start <= this.maxLineBytes;
      return isWhole
        ? new Line(current.chunk, start, Math.max(start, end), found)
        : this.complete(chunk.subarray(start, after - 1));
    }
    return undefined;
  }

  private advance(chunk: Buffer, to: number): void {
    if (to < chunk.length) this.offset = to;
    else {
      this.chunks.shift();
      this.current = undefined;
      this.offset = 0;
    }
  }

  private hold(bytes: Buffer): void {
    if (this.long) return this.long.add(bytes);
    this.partial.push(bytes);
    this.partialBytes += bytes.length;
    if (this.partialBytes <= this.maxLineBytes) return;
    this.long = new LongLine(this.maxLineBytes, this.options);
    for (const part of this.partial) this.long.add(part);
    this.partial = [];
    this.partialBytes = 0;
  }

  private complete(rest: Buffer): Line {
    this.hold(rest);
    const { long } = this;
    this.long = undefined;
    if (long) return long.end();
    const [only] = this.partial;
    const whole = this.partial.length === 1 && only ? only : Buffer.concat(this.partial, this.partialBytes);
    this.partial = [];
    this.partialBytes = 0;
    return wholeLine(whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole);
  }
}

/** The end of the piece that starts here: after a line if there is one, because a line in two pieces has to be joined. */
function pieceEnd(chunk: Buffer, start: number): number {
  const end = start + pieceBytes;
  if (end >= chunk.length) return chunk.length;
  const last = chunk.lastIndexOf(lineFeed, end - 1);
  return last < start ? end : last + 1;
}
