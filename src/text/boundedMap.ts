/** A map with a maximum size. The entries set least recently are evicted first. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly max: number) {}

  get size(): number {
    return this.entries.size;
  }

  /** The key whose entry the next new one evicts; `undefined` if there is room. */
  get evictedNext(): K | undefined {
    return this.entries.size < this.max ? undefined : this.entries.keys().next().value;
  }

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  /** Returns the entry's value, which is made and set as the newest if there is none. */
  ensure(key: K, make: () => V): V {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }

  has(key: K): boolean {
    return this.entries.has(key);
  }

  /** Sets an entry as the newest. Returns the value that was evicted, if any. */
  set(key: K, value: V): V | undefined {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.max) return undefined;
    for (const [oldest, dropped] of this.entries) {
      this.entries.delete(oldest);
      return dropped;
    }
    return undefined;
  }

  /** Changes the value of an entry without changing its age. */
  update(key: K, value: V): void {
    if (this.entries.has(key)) this.entries.set(key, value);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }

  /** Returns the oldest value that passes, without copying the map. */
  find(test: (value: V) => boolean): V | undefined {
    for (const value of this.entries.values()) if (test(value)) return value;
    return undefined;
  }

  /** Deletes the entries whose value passes. */
  deleteThose(test: (value: V) => boolean): void {
    for (const [key, value] of this.entries) if (test(value)) this.entries.delete(key);
  }

  /** Oldest first. */
  values(): V[] {
    return [...this.entries.values()];
  }

  keys(): K[] {
    return [...this.entries.keys()];
  }
}
