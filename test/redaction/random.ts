/** Seeded source of random choices: the same seed gives the same run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(items: ArrayLike<T>): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('Nothing to pick from.');
    return item;
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.pick(alphabet)).join('');
  }
}

export const digits = '0123456789';
export const lowerCase = 'abcdefghijklmnopqrstuvwxyz';
export const upperCase = lowerCase.toUpperCase();
export const base62 = upperCase + lowerCase + digits;
export const hexDigits = `${digits}abcdef`;
