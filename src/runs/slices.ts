import { otherWork } from './timers';

/** Maximum uninterrupted work, in milliseconds. One more page of records may be added. */
const sliceLength = 2;

/** Breaks up long work, so that the extension host stays responsive. */
export class Slices {
  private began = performance.now();

  get isSpent(): boolean {
    return performance.now() - this.began >= sliceLength;
  }

  /** Lets other work run, then starts the next slice. */
  async next(): Promise<void> {
    await otherWork();
    this.began = performance.now();
  }
}
