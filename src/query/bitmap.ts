/** Numbers in a chunk: 32,768, which take 4 KiB. */
const chunkShift = 15;
const chunkMask = (1 << chunkShift) - 1;
const chunkWords = 1 << (chunkShift - 5);

/** A set of record numbers, one bit each. Empty chunks take no memory. */
export class Bitmap {
  private readonly chunks: (Uint32Array | undefined)[] = [];
  private chunkCount = 0;
  /** The count of numbers before each chunk, then in total; computed on demand. */
  private ranks: readonly number[] | undefined;

  /** Approximate memory, in bytes. */
  get bytes(): number {
    return this.chunkCount * chunkWords * 4 + this.chunks.length * 8 + 100;
  }

  /** Number of members. */
  get count(): number {
    return this.directory().at(-1) ?? 0;
  }

  has(number: number): boolean {
    const chunk = this.chunks[number >>> chunkShift];
    return chunk !== undefined && (((chunk[(number & chunkMask) >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    const chunk = this.chunk(number >>> chunkShift);
    const word = (number & chunkMask) >>> 5;
    chunk[word] = (chunk[word] ?? 0) | (1 << (number & 31));
    this.ranks = undefined;
  }

  /** Adds all from `first` to `last`, both included. */
  addRange(first: number, last: number): void {
    for (let at = first; at <= last;) {
      if ((at & 31) !== 0 || last - at < 31) {
        this.add(at++);
        continue;
      }
      const chunk = this.chunk(at >>> chunkShift);
      const word = (at & chunkMask) >>> 5;
      const words = Math.min(chunkWords - word, (last - at + 1) >>> 5);
      chunk.fill(0xffffffff, word, word + words);
      at += words * 32;
    }
    this.ranks = undefined;
  }

  /** Frees the chunks that have only smaller numbers. */
  forgetBelow(number: number): void {
    const end = Math.min(this.chunks.length, number >>> chunkShift);
    for (let index = 0; index < end; index++) {
      if (!this.chunks[index]) continue;
      this.chunks[index] = undefined;
      this.chunkCount--;
    }
    this.ranks = undefined;
  }

  /** How many members are smaller than a number. */
  rank(number: number): number {
    const index = number >>> chunkShift;
    const before = this.directory()[Math.min(index, this.chunks.length)] ?? 0;
    const chunk = this.chunks[index];
    if (!chunk) return before;
    const bit = number & chunkMask;
    const word = bit >>> 5;
    const below = (1 << (bit & 31)) - 1;
    return before + countBits(chunk, 0, word) + bitsOf((chunk[word] ?? 0) & below);
  }

  /** The member with `rank` smaller ones; `undefined` beyond the last. */
  select(rank: number): number | undefined {
    const ranks = this.directory();
    if (rank < 0 || rank >= this.count) return undefined;
    let [low, high] = [0, this.chunks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((ranks[middle] ?? 0) <= rank) low = middle;
      else high = middle - 1;
    }
    const chunk = this.chunks[low] ?? new Uint32Array(0);
    let left = rank - (ranks[low] ?? 0);
    for (let word = 0; word < chunk.length; word++) {
      const bits = bitsOf(chunk[word] ?? 0);
      if (left < bits) return (low << chunkShift) + word * 32 + nthBit(chunk[word] ?? 0, left);
      left -= bits;
    }
    return undefined;
  }

  /** At most `count` members, ascending, starting with the one that has `rank` smaller ones. */
  slice(rank: number, count: number): readonly number[] {
    const numbers: number[] = [];
    let number = this.select(rank);
    while (number !== undefined && numbers.length < count) {
      numbers.push(number);
      number = this.next(number + 1);
    }
    return numbers;
  }

  /** The smallest member that is at least `from`. */
  next(from: number): number | undefined {
    let first = from & chunkMask;
    for (let index = from >>> chunkShift; index < this.chunks.length; index++, first = 0) {
      const chunk = this.chunks[index];
      if (!chunk) continue;
      for (let word = first >>> 5; word < chunkWords; word++) {
        const mask = word === first >>> 5 ? -1 << (first & 31) : -1;
        const bits = (chunk[word] ?? 0) & mask;
        if (bits !== 0) return (index << chunkShift) + word * 32 + 31 - Math.clz32(bits & -bits);
      }
    }
    return undefined;
  }

  /** The largest member that is at most `from`. */
  previous(from: number): number | undefined {
    if (from < 0) return undefined;
    const start = Math.min(from, (this.chunks.length << chunkShift) - 1);
    let last = start & chunkMask;
    for (let index = start >>> chunkShift; index >= 0; index--, last = chunkMask) {
      const chunk = this.chunks[index];
      if (!chunk) continue;
      for (let word = last >>> 5; word >= 0; word--) {
        const mask = word === last >>> 5 ? -1 >>> (31 - (last & 31)) : -1;
        const bits = (chunk[word] ?? 0) & mask;
        if (bits !== 0) return (index << chunkShift) + word * 32 + 31 - Math.clz32(bits);
      }
    }
    return undefined;
  }

  /** The members of a set that are in all groups: in one of a group's sets, or in none if it is negated. */
  static combined(within: Bitmap, groups: readonly BitmapGroup[]): Bitmap {
    const result = new Bitmap();
    const either = new Uint32Array(chunkWords);
    for (const [index, all] of within.chunks.entries()) {
      if (!all) continue;
      const words = all.slice();
      for (const { bitmaps, negated } of groups) {
        const chunks = bitmaps.map((bitmap) => bitmap.chunks[index]);
        const chunk = chunks.length === 1 ? chunks[0] : union(chunks, either);
        if (negated) {
          if (chunk) for (let at = 0; at < chunkWords; at++) words[at] = (words[at] ?? 0) & ~(chunk[at] ?? 0);
        } else if (chunk) {
          for (let at = 0; at < chunkWords; at++) words[at] = (words[at] ?? 0) & (chunk[at] ?? 0);
        } else words.fill(0);
      }
      if (countBits(words, 0, chunkWords) > 0) result.put(index, words);
    }
    return result;
  }

  private put(index: number, words: Uint32Array): void {
    while (this.chunks.length <= index) this.chunks.push(undefined);
    this.chunks[index] = words;
    this.chunkCount++;
  }

  private chunk(index: number): Uint32Array {
    const known = this.chunks[index];
    if (known) return known;
    const words = new Uint32Array(chunkWords);
    this.put(index, words);
    return words;
  }

  private directory(): readonly number[] {
    if (this.ranks) return this.ranks;
    const ranks = [0];
    let count = 0;
    for (const chunk of this.chunks) {
      if (chunk) count += countBits(chunk, 0, chunkWords);
      ranks.push(count);
    }
    return (this.ranks = ranks);
  }
}

/** Sets to be included as alternatives, or excluded. */
export interface BitmapGroup {
  readonly bitmaps: readonly Bitmap[];
  readonly negated: boolean;
}

function union(chunks: readonly (Uint32Array | undefined)[], into: Uint32Array): Uint32Array {
  into.fill(0);
  for (const chunk of chunks) {
    if (chunk) for (let at = 0; at < chunkWords; at++) into[at] = (into[at] ?? 0) | (chunk[at] ?? 0);
  }
  return into;
}

function countBits(words: Uint32Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) count += bitsOf(words[at] ?? 0);
  return count;
}

/** Number of set bits of a word (Warren, "Hacker's Delight", 5-1). */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The position of a word's set bit that has `n` lower ones. */
function nthBit(word: number, n: number): number {
  let rest = word;
  for (let left = n; left > 0; left--) rest &= rest - 1;
  return 31 - Math.clz32(rest & -rest);
}
