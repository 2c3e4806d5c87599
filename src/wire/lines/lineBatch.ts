import { ByteChunk } from '../../log/bytes/byteChunk';

/** In bytes; most lines are far shorter. */
const blockBytes = 256 * 1024;
const [closeBrace, lineFeed] = [125, 10];
/** Blocks that were written wait to be filled again: garbage of this size is let go of late, and a flood makes hundreds of MB of it. */
const maxSpare = 6;

/**
 * Lines that wait to be written, as UTF-8. As bytes, since strings that wait are copied by every collection of the memory that comes
 * meanwhile: in a flood that takes longer than writing them.
 */
export class LineBatch {
  private full: Buffer[] = [];
  private readonly spare: Buffer[] = [];
  private chunk = new ByteChunk(Buffer.alloc(0));
  private used = 0;
  private fullBytes = 0;
  private lineCount = 0;

  /** How many lines wait. */
  get lines(): number {
    return this.lineCount;
  }

  get bytes(): number {
    return this.fullBytes + this.used;
  }

  /** @param line with its line break */
  add(line: string): void {
    // UTF-8 takes three bytes for a UTF-16 unit at most.
    const room = line.length * 3;
    if (this.block.length - this.used < room) this.begin(Math.max(blockBytes, room));
    this.used += this.block.write(line, this.used);
    this.lineCount++;
  }

  /** Adds a line of valid UTF-8: `source` from `start` up to `end`, behind its beginning and before a closing brace and the line break. */
  addObject(before: ByteChunk, source: ByteChunk, start: number, end: number): void {
    const room = before.bytes.length + (end - start) + 2;
    if (this.block.length - this.used < room) this.begin(Math.max(blockBytes, room));
    this.used = before.copyTo(this.chunk, this.used, 0, before.bytes.length);
    this.used = source.copyTo(this.chunk, this.used, start, end);
    this.block[this.used++] = closeBrace;
    this.block[this.used++] = lineFeed;
    this.lineCount++;
  }

  /** All that waited, in order; now nothing does. */
  take(): readonly Buffer[] {
    this.begin(0);
    const taken = this.full;
    this.full = [];
    this.fullBytes = 0;
    this.lineCount = 0;
    return taken;
  }

  /** Takes back what `take` gave, once it is written. */
  release(taken: readonly Buffer[]): void {
    for (const { buffer } of taken) {
      if (buffer.byteLength === blockBytes && this.spare.length < maxSpare) this.spare.push(Buffer.from(buffer));
    }
  }

  private get block(): Buffer {
    return this.chunk.bytes;
  }

  private begin(size: number): void {
    if (this.used > 0) this.full.push(this.block.subarray(0, this.used));
    this.fullBytes += this.used;
    this.chunk = new ByteChunk((size === blockBytes ? this.spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(size));
    this.used = 0;
  }
}
