/** A set of positive integers as ranges, because most of them follow one another: `1-4012,4014`. */
export class SpanNumbers {
  /** Sorted, without overlaps or neighbours. */
  private readonly ranges: [first: number, last: number][] = [];

  /** @param text as `toString` writes it; anything else is skipped */
  static from(text: string): SpanNumbers {
    const numbers = new SpanNumbers();
    for (const [, first = '', last = first] of text.matchAll(/(\d{1,15})(?:-(\d{1,15}))?/g)) {
      numbers.add(Number(first), Number(last));
    }
    return numbers;
  }

  has(number: number): boolean {
    const range = this.ranges[this.firstFrom(number)];
    return range !== undefined && range[0] <= number;
  }

  /** Adds all numbers from `first` to `last`. */
  add(first: number, last = first): void {
    if (last < first) return;
    const from = this.firstFrom(first - 1);
    let to = from;
    let [low, high] = [first, last];
    for (let range = this.ranges[to]; range && range[0] <= last + 1; range = this.ranges[++to]) {
      low = Math.min(low, range[0]);
      high = Math.max(high, range[1]);
    }
    this.ranges.splice(from, to - from, [low, high]);
  }

  toString(): string {
    return this.ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
  }

  /** Index of the first range that ends at this number or after it. New numbers are mostly the highest. */
  private firstFrom(number: number): number {
    let index = this.ranges.length;
    while (index > 0 && (this.ranges[index - 1]?.[1] ?? 0) >= number) index--;
    return index;
  }
}
