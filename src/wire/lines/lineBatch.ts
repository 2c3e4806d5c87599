import { ByteChunk } from '../../text/bytes/byteChunk';

/** Size of a block in bytes. Most lines are far shorter. */
const blockBytes = 256 * 1024;
const [closeBrace, lineFeed] = [125, 10];
/** Number of written blocks to reuse. Garbage of this size is collected late, and a flood would produce hundreds of MB of it. */
const maxSpare = 6;

/**
 * A queue of lines to write, as UTF-8. Not as strings, because each garbage collection copies waiting strings: in a flood, that takes longer than
 * writing them.
 */
export class LineBatch {
  private full: Buffer[] = [];
  private readonly spare: Buffer[] = [];
  private chunk = new ByteChunk(Buffer.alloc(0));
  private used = 0;
  private fullBytes = 0;
  private lineCount = 0;

  /** Number of queued lines. */
  get lines(): number {
    return this.lineCount;
  }

  /** Number of queued bytes. */
  get bytes(): number {
    return this.fullBytes + this.used;
  }

  /** @param line including its line break */
  add(line: string): void {
    // UTF-8 takes at most three bytes per UTF-16 unit.
    const room = line.length * 3;
    if (this.block.length - this.used < room) this.begin(Math.max(blockBytes, room));
    this.used += this.block.write(line, this.used);
    this.lineCount++;
  }

  /** Adds a line of valid UTF-8: `before`, then `source` from `start` to `end`, a closing brace and a line break. */
  addObject(before: ByteChunk, source: ByteChunk, start: number, end: number): void {
    const room = before.bytes.length + (end - start) + 2;
    if (this.block.length - this.used < room) this.begin(Math.max(blockBytes, room));
    this.used = before.copyTo(this.chunk, this.used, 0, before.bytes.length);
    this.used = source.copyTo(this.chunk, this.used, start, end);
    this.block[this.used++] = closeBrace;
    this.block[this.used++] = lineFeed;
    this.lineCount++;
  }

  /** Removes and returns all blocks, in order. */
  take(): readonly Buffer[] {
    this.begin(0);
    const taken = this.full;
    this.full = [];
    this.fullBytes = 0;
    this.lineCount = 0;
    return taken;
  }

  /** Reuses the blocks from `take` once they are written. */
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
