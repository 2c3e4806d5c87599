import { otherWork } from './timers';

/** Maximum uninterrupted work, in milliseconds. One more page of records may be added. */
const sliceLength = 2;
/** Number of values to sort, and to map, between two looks at the time: what is made of one may take 0.1 ms. */
const [atOnce, mappedAtOnce] = [256, 16];

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

  /** Like `flatMap` of a long list. */
  async flatMap<T, U>(values: readonly T[], toValues: (value: T) => U | readonly U[]): Promise<U[]> {
    const found: U[] = [];
    for (let at = 0; at < values.length; at += mappedAtOnce) {
      for (const made of values.slice(at, at + mappedAtOnce).flatMap(toValues)) found.push(made);
      if (this.isSpent) await this.next();
    }
    return found;
  }

  /** Like `forEach` of a long list. */
  async forEach<T>(values: readonly T[], use: (value: T) => void): Promise<void> {
    for (let at = 0; at < values.length; at += mappedAtOnce) {
      values.slice(at, at + mappedAtOnce).forEach((value) => use(value));
      if (this.isSpent) await this.next();
    }
  }

  /** A long list in order, as by `toSorted`: merges short lists. */
  async sorted<T>(values: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    let from: T[] = [];
    for (let at = 0; at < values.length; at += atOnce) {
      for (const value of values.slice(at, at + atOnce).sort(compare)) from.push(value);
      if (this.isSpent) await this.next();
    }
    let to: T[] = [];
    for (let length = atOnce; length < from.length; length *= 2) {
      for (let at = 0; at < from.length; at += 2 * length) await this.merge(from, to, at, length, compare);
      [from, to] = [to, []];
    }
    return from;
  }

  /** Appends two sorted parts of the same length, the second of which may be shorter. */
  private async merge<T>(
    from: readonly T[],
    to: T[],
    at: number,
    length: number,
    compare: (a: T, b: T) => number,
  ): Promise<void> {
    const middle = Math.min(at + length, from.length);
    const end = Math.min(middle + length, from.length);
    let [left, right] = [at, middle];
    while (left < middle || right < end) {
      for (let count = 0; count < atOnce && (left < middle || right < end); count++) {
        const isLeft = right >= end || (left < middle && compare(from[left] as T, from[right] as T) <= 0);
        to.push(from[isLeft ? left++ : right++] as T);
      }
      if (this.isSpent) await this.next();
    }
  }
}
