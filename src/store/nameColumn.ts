import { textBytes } from './heapSize';

/** Up to this many names, searching a list is faster than a map. */
const few = 16;
/** Memory of a name in the list and the map, in bytes. */
const entryBytes = 64;

/** A column of names, stored as numbers because there are few different ones; 0 for none. */
export class NameColumn {
  private readonly names: (string | undefined)[];
  private numberOf: Map<string | undefined, number> | undefined;

  /**
   * @param numbers room for fewer than 65,535 entries
   * @param names the names of the first `count` entries
   */
  constructor(
    private readonly numbers: Uint16Array | Uint8Array,
    names: readonly (string | undefined)[] = [undefined],
    private count = 0,
  ) {
    this.names = [...names];
  }

  /** Names by number. */
  get allNames(): readonly (string | undefined)[] {
    return this.names;
  }

  /** Approximate memory without the map, in bytes. */
  get bytes(): number {
    return this.numbers.byteLength + this.names.reduce((sum, name) => sum + 8 + textBytes(name ?? ''), 100);
  }

  /** A copy that can't grow and takes as little memory as possible. */
  compact(count: number): NameColumn {
    const numbers = this.numbers.subarray(0, count);
    return new NameColumn(this.names.length <= 256 ? Uint8Array.from(numbers) : numbers.slice(), this.names, count);
  }

  /** Adds a name. Returns the additional memory, in bytes. */
  add(name: string | undefined): number {
    const known = this.numberOf ? (this.numberOf.get(name) ?? -1) : this.names.indexOf(name);
    this.numbers[this.count++] = known >= 0 ? known : this.names.length;
    if (known >= 0 || name === undefined) return 0;
    this.names.push(name);
    if (this.numberOf) this.numberOf.set(name, this.names.length - 1);
    else if (this.names.length > few) this.numberOf = new Map(this.names.map((one, number) => [one, number]));
    return textBytes(name) + entryBytes;
  }

  at(index: number): string | undefined {
    return this.names[this.numbers[index] ?? 0];
  }

  /** Returns a test for entries whose name passes `test`; `undefined` if none does. */
  matches(test: (name: string) => boolean): ((index: number) => boolean) | undefined {
    const found = this.names.map((name) => name !== undefined && test(name));
    return found.includes(true) ? (index) => found[this.numbers[index] ?? 0] === true : undefined;
  }
}
