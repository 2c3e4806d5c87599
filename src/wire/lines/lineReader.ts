import { ByteChunk } from '../../log/bytes/byteChunk';
import type { Envelope } from '../envelopes';
import { LongLine } from './longLine';

const lineFeed = 10;
const carriageReturn = 13;
const nothing = Buffer.alloc(0);

/** A line without its line break. */
export interface Line {
  /** The line's text; its beginning where `bytes` is there. Invalid UTF-8 becomes U+FFFD. */
  readonly text: string;
  /** The length in bytes of a line longer than the limit. */
  readonly bytes?: number;
  /** Which JSON-RPC messages such a line holds; absent if it holds none. */
  readonly envelopes?: readonly Envelope[];
  /** All bytes of such a line, if `maxWholeBytes` allows it. */
  readonly whole?: Buffer;
}

/** Takes the bytes of a line longer than the limit as they come, from its first to its last, without its line break. */
export type PieceListener = (bytes: Buffer) => void;

/**
 * Takes a whole line from its bytes, from `start` up to `end`, without its line break, if it can do with that. Answers whether it has.
 */
export type LineTaker = (chunk: ByteChunk, start: number, end: number) => boolean;

export interface LineOptions {
  /** Gets the bytes of lines over the limit as they come; the buffer is only lent. */
  readonly onPiece?: PieceListener;
  /** Asked about each line that ended first. */
  readonly takeLine?: LineTaker;
  /** A line over the limit is held whole up to this length, for whoever has to read it. Default: never. */
  readonly maxWholeBytes?: number;
}

/** Stands for a line that was taken from its bytes. */
export const takenLine: Line = { text: '' };

/**
 * Bytes in, lines out, in linear time and bounded memory: a partial line is held as a list of chunks and put together once; what is held of
 * a line over the limit is up to `LongLine`. Lines are pulled, so that the reader of a flood can pause between two of them.
 */
export class LineReader {
  private readonly chunks: Buffer[] = [];
  /** The one that lines are taken from. */
  private lent: ByteChunk | undefined;
  private offset = 0;
  private partial: Buffer[] = [];
  private partialBytes = 0;
  /** The partial line once it is over the limit; `partial` is empty then. */
  private long: LongLine | undefined;
  private readonly take: LineTaker | undefined;

  /** @param maxLineBytes lines longer than this are reported by their beginning and length */
  constructor(
    private readonly maxLineBytes: number,
    private readonly options: LineOptions = {},
  ) {
    this.take = options.takeLine;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    if (chunk.length > 0) this.chunks.push(chunk);
  }

  /** The next whole line, `takenLine` for one that was taken, or `undefined` when more bytes are needed. */
  next(): Line | undefined {
    for (let chunk = this.chunks[0]; chunk; chunk = this.chunks[0]) {
      const end = this.take ? this.looked(chunk).indexOfLineFeed(this.offset) : chunk.indexOf(lineFeed, this.offset);
      if (end >= 0) {
        const start = this.offset;
        this.advance(chunk, end + 1);
        const isWhole = !this.isPartial && end - start <= this.maxLineBytes;
        if (!isWhole) return this.complete(chunk.subarray(start, end), this.take);
        const textEnd = endOf(chunk, start, end);
        if (this.take?.(this.looked(chunk), start, textEnd) === true) return takenLine;
        return { text: chunk.toString('utf8', start, textEnd) };
      }
      this.hold(this.offset === 0 ? chunk : chunk.subarray(this.offset));
      this.advance(chunk, chunk.length);
    }
    return undefined;
  }

  /** Takes up to so many bytes, of those that are there, that are no line. To be called only where a line has just ended. */
  takeBytes(max: number): Buffer {
    const [chunk] = this.chunks;
    if (!chunk) return nothing;
    const bytes = chunk.subarray(this.offset, this.offset + max);
    this.advance(chunk, this.offset + bytes.length);
    return bytes;
  }

  /** After the last byte: what stands behind the last line feed, if anything. Pull the whole lines first. */
  end(): Line | undefined {
    return this.isPartial ? this.complete(nothing) : undefined;
  }

  private get isPartial(): boolean {
    return this.partialBytes > 0 || this.long !== undefined;
  }

  /** What is found out about a chunk serves all of its lines. */
  private looked(chunk: Buffer): ByteChunk {
    if (this.lent?.bytes !== chunk) this.lent = new ByteChunk(chunk);
    return this.lent;
  }

  private advance(chunk: Buffer, to: number): void {
    if (to < chunk.length) this.offset = to;
    else {
      this.chunks.shift();
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

  private complete(rest: Buffer, take?: LineTaker): Line {
    this.hold(rest);
    const { long } = this;
    this.long = undefined;
    if (long) return long.end();
    const [only] = this.partial;
    const whole = this.partial.length === 1 && only ? only : Buffer.concat(this.partial, this.partialBytes);
    this.partial = [];
    this.partialBytes = 0;
    return take?.(new ByteChunk(whole), 0, endOf(whole, 0, whole.length)) === true
      ? takenLine
      : { text: textOf(whole) };
  }
}

function textOf(bytes: Buffer, start = 0, end = bytes.length): string {
  return bytes.toString('utf8', start, endOf(bytes, start, end));
}

/** Without a carriage return. */
function endOf(bytes: Buffer, start: number, end: number): number {
  return end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
}
