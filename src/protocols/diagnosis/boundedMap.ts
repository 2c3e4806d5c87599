/** A map of so many entries at most: the ones set longest ago go first. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly max: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  has(key: K): boolean {
    return this.entries.has(key);
  }

  /** Answers what had to go for it, if anything. */
  set(key: K, value: V): V | undefined {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.max) return undefined;
    for (const [oldest, gone] of this.entries) {
      this.entries.delete(oldest);
      return gone;
    }
    return undefined;
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }

  /** The oldest that passes, without a copy of all. */
  find(test: (value: V) => boolean): V | undefined {
    for (const value of this.entries.values()) if (test(value)) return value;
    return undefined;
  }

  /** Oldest first. */
  values(): V[] {
    return [...this.entries.values()];
  }

  keys(): K[] {
    return [...this.entries.keys()];
  }
}
