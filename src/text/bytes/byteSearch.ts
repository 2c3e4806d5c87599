const nothing = Buffer.alloc(0);

/** Looks for one thing in bytes, between two places. Asked about places in their order, it goes over the bytes once. */
export class ByteSearch {
  private bytes: Buffer = nothing;
  /** The next place; there is none between the place of the last call and this. */
  private next = -1;
  private lastStart = 0;

  /** @param sought a byte or several */
  constructor(private readonly sought: number | Buffer) {}

  /** Looks in other bytes from now on. */
  begin(bytes: Buffer): void {
    this.bytes = bytes;
    this.next = -1;
    this.lastStart = 0;
  }

  /** Whether it begins from `start` on and before `end`. */
  isIn(start: number, end: number): boolean {
    if (this.next < start || start < this.lastStart) {
      const at = this.bytes.indexOf(this.sought, start);
      // Behind the last byte if there is none. V8 would discard the code of a field that was an integer and becomes Infinity.
      this.next = at < 0 ? this.bytes.length : at;
    }
    this.lastStart = start;
    return this.next < end;
  }
}
