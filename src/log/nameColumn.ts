import type { TextTest } from './textTest';

/** Names of which there are few, by their number: 0 for none. */
export class NameColumn {
  private readonly numbers: Uint16Array;
  private readonly names: (string | undefined)[] = [undefined];
  private readonly numberOf = new Map<string, number>();
  private count = 0;

  /** @param capacity below 65,535 */
  constructor(capacity: number) {
    this.numbers = new Uint16Array(capacity);
  }

  add(name: string | undefined): void {
    this.numbers[this.count++] = name === undefined ? 0 : this.number(name);
  }

  at(index: number): string | undefined {
    return this.names[this.numbers[index] ?? 0];
  }

  /** Whether a name that is in use passes the test; `undefined` where none does. */
  matches(test: TextTest): ((index: number) => boolean) | undefined {
    const found = this.names.map((name) => name !== undefined && test.isIn(name));
    return found.includes(true) ? (index) => found[this.numbers[index] ?? 0] === true : undefined;
  }

  reset(): void {
    this.count = 0;
    this.names.length = 1;
    this.numberOf.clear();
  }

  private number(name: string): number {
    const known = this.numberOf.get(name);
    if (known !== undefined) return known;
    const number = this.names.push(name) - 1;
    this.numberOf.set(name, number);
    return number;
  }
}
