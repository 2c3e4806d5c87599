import { textBytes } from './heapSize';

/** So few names are found fast without a map. */
const few = 16;
/** What a name takes in the list and in the map, in bytes. */
const entryBytes = 64;

/** Names of which there are few, by their number: 0 for none. */
export class NameColumn {
  private readonly names: (string | undefined)[];
  private numberOf: Map<string | undefined, number> | undefined;

  /**
   * @param numbers room for fewer than 65,535
   * @param names of the first `count` numbers
   */
  constructor(
    private readonly numbers: Uint16Array | Uint8Array,
    names: readonly (string | undefined)[] = [undefined],
    private count = 0,
  ) {
    this.names = [...names];
  }

  /** By their numbers. */
  get allNames(): readonly (string | undefined)[] {
    return this.names;
  }

  /** About how much memory it takes, without a map. */
  get bytes(): number {
    return this.numbers.byteLength + this.names.reduce((sum, name) => sum + 8 + textBytes(name ?? ''), 100);
  }

  /** The same, which can't grow and takes as little memory as possible. */
  compact(count: number): NameColumn {
    const numbers = this.numbers.subarray(0, count);
    return new NameColumn(this.names.length <= 256 ? Uint8Array.from(numbers) : numbers.slice(), this.names, count);
  }

  /** Returns how many more bytes are held. */
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

  /** Whether a name that is in use passes the test; `undefined` where none does. */
  matches(test: (name: string) => boolean): ((index: number) => boolean) | undefined {
    const found = this.names.map((name) => name !== undefined && test(name));
    return found.includes(true) ? (index) => found[this.numbers[index] ?? 0] === true : undefined;
  }
}
