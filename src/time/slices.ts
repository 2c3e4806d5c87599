import { otherWork } from './timers';

/** Maximum uninterrupted work, in milliseconds. One more page of records may be added. */
const sliceLength = 2;
/** Number of values to sort, and to make something of, between two looks at the time: what is made of one may take 0.1 ms. */
const [atOnce, madeAtOnce] = [256, 16];

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

  /** A long list in short parts, each in order, with pauses in between. @param isFromEnd whether the last part comes first */
  async *parts<T>(values: readonly T[], isFromEnd = false): AsyncGenerator<readonly T[]> {
    const count = Math.ceil(values.length / madeAtOnce);
    for (let n = 0; n < count; n++) {
      const at = (isFromEnd ? count - 1 - n : n) * madeAtOnce;
      yield values.slice(at, at + madeAtOnce);
      if (this.isSpent) await this.next();
    }
  }

  /** Like `flatMap` of a long list. */
  async flatMap<T, U>(values: readonly T[], toValues: (value: T) => U | readonly U[]): Promise<U[]> {
    const found: U[] = [];
    for await (const part of this.parts(values)) for (const made of part.flatMap(toValues)) found.push(made);
    return found;
  }

  /** Like `forEach` of a long list. */
  async forEach<T>(values: readonly T[], use: (value: T) => void): Promise<void> {
    for await (const part of this.parts(values)) part.forEach((value) => use(value));
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
