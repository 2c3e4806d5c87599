/** What waits to be sent, bounded in number and in bytes: in a flood the oldest go, and are counted. */
export class OtlpQueue<T> {
  private readonly items: (T | undefined)[];
  private readonly sizes: Float64Array;
  private head = 0;
  private count = 0;
  private usedBytes = 0;

  /** @param maxItems how many may wait; their places are taken at once */
  constructor(
    private readonly maxItems: number,
    private readonly maxBytes: number,
  ) {
    this.items = new Array<T | undefined>(maxItems);
    this.sizes = new Float64Array(maxItems);
  }

  get length(): number {
    return this.count;
  }

  get bytes(): number {
    return this.usedBytes;
  }

  /** Answers how many had to go to make room; a single one that is too large is kept. */
  push(item: T, bytes: number): number {
    let dropped = 0;
    while (this.count === this.maxItems || (this.count > 0 && this.usedBytes + bytes > this.maxBytes)) {
      this.shift();
      dropped++;
    }
    const place = (this.head + this.count) % this.maxItems;
    this.items[place] = item;
    this.sizes[place] = bytes;
    this.usedBytes += bytes;
    this.count++;
    return dropped;
  }

  /** Takes the oldest, at most so many, and no more bytes unless the first alone has more. */
  take(maxItems: number, maxBytes: number): T[] {
    const taken: T[] = [];
    let bytes = 0;
    while (this.count > 0 && taken.length < maxItems) {
      bytes += this.sizes[this.head] ?? 0;
      if (taken.length > 0 && bytes > maxBytes) break;
      const item = this.shift();
      if (item !== undefined) taken.push(item);
    }
    return taken;
  }

  private shift(): T | undefined {
    const item = this.items[this.head];
    this.items[this.head] = undefined;
    this.usedBytes -= this.sizes[this.head] ?? 0;
    this.head = (this.head + 1) % this.maxItems;
    this.count--;
    return item;
  }
}
