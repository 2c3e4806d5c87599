/** Maximum uninterrupted work, in milliseconds. One more page of records may be added. */
const sliceLength = 2;

/** Breaks up long work, so that the extension host stays responsive. */
export class Slices {
  private began = performance.now();

  /** @param yieldToHost settles after other work has had its turn */
  constructor(private readonly yieldToHost: () => Promise<void>) {}

  get isSpent(): boolean {
    return performance.now() - this.began >= sliceLength;
  }

  /** Lets other work run, then starts the next slice. */
  async next(): Promise<void> {
    await this.yieldToHost();
    this.began = performance.now();
  }
}
