/** In bytes; most lines are far shorter. */
const blockBytes = 256 * 1024;
/** A UTF-16 unit has three bytes of UTF-8 at the most. */
const maxBytesPerUnit = 3;
/** Blocks that were written wait to be filled again: garbage of this size is let go of late, and a flood makes hundreds of MB of it. */
const maxSpare = 16;

/**
 * Lines that wait to be written, as UTF-8. As bytes, since strings that wait are copied by every collection of the memory that comes
 * meanwhile: in a flood that takes longer than writing them.
 */
export class LineBatch {
  private full: Buffer[] = [];
  private readonly spare: Buffer[] = [];
  private block: Buffer = Buffer.allocUnsafe(0);
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
    const room = line.length * maxBytesPerUnit;
    if (this.block.length - this.used < room) this.begin(Math.max(blockBytes, room));
    this.used += this.block.write(line, this.used);
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

  /** Takes back what `take` gave, when nobody needs it any more. */
  release(taken: readonly Buffer[]): void {
    for (const { buffer } of taken) {
      if (buffer.byteLength === blockBytes && this.spare.length < maxSpare) this.spare.push(Buffer.from(buffer));
    }
  }

  private begin(size: number): void {
    if (this.used > 0) this.full.push(this.block.subarray(0, this.used));
    this.fullBytes += this.used;
    this.block = (size === blockBytes ? this.spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(size);
    this.used = 0;
  }
}
