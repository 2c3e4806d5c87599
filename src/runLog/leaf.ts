import { Bitmap } from '../query/bitmap';
import type { TextTest } from '../query/textTest';
import type { PageColumns } from '../store/pageColumns';
import type { StoredPage } from '../store/store';

/** The test of one term, or of several with the same key. Equal tests have equal keys. */
export type LeafTest =
  /** Needs no texts: adds the numbers of the records from `from` up to `end` that pass. */
  | {
      readonly type: 'columns';
      readonly key: string;
      mark(stored: StoredPage, from: number, end: number, into: Bitmap): void;
    }
  | { readonly type: 'text' | 'raw'; readonly key: string; readonly test: TextTest; readonly text: string }
  | { readonly type: 'regex'; readonly key: string; readonly source: string; readonly ignoresCase: boolean };

/** The records that are known to pass a test. */
export class Leaf {
  bits = new Bitmap();
  /** How many records of each page were tested, by the page's first record number. */
  private covered = new Map<number, number>();

  /** @param after records up to this number aren't tested */
  constructor(private readonly after = 0) {}

  get bytes(): number {
    return this.bits.bytes + this.covered.size * 40;
  }

  /** How many records of a page were tested. */
  coveredOf(page: PageColumns): number {
    return this.covered.get(page.firstSeq) ?? (page.firstSeq > this.after ? 0 : page.firstAfter(this.after));
  }

  cover(page: PageColumns, count: number): void {
    this.covered.set(page.firstSeq, count);
  }

  /** Drops pages that are no longer in the store. */
  keep(firstSeqs: ReadonlySet<number>, oldest: number): void {
    this.covered = new Map([...this.covered].filter(([firstSeq]) => firstSeqs.has(firstSeq)));
    this.bits.forgetBelow(oldest);
  }
}

/** Maximum memory for cached bitmaps of a run, in bytes. */
const maxBytes = 8 * 1024 * 1024;

/** The bitmaps of a run, shared by all its queries. The least recently used are evicted first. */
export class LeafCache {
  private readonly leaves = new Map<string, Leaf>();
  private readonly users = new Set<object>();

  /** @param after records up to this number aren't tested */
  constructor(private readonly after = 0) {}

  get bytes(): number {
    return [...this.leaves.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  use(user: object): void {
    this.users.add(user);
  }

  /** Frees everything once the last user has released the cache. */
  release(user: object): void {
    this.users.delete(user);
    if (this.users.size === 0) this.leaves.clear();
  }

  of(key: string): Leaf {
    const leaf = this.leaves.get(key) ?? this.newLeaf();
    this.leaves.delete(key);
    this.leaves.set(key, leaf);
    return leaf;
  }

  newLeaf(): Leaf {
    return new Leaf(this.after);
  }

  /** The bitmap of the longest text that this one contains: only its records can match. */
  wider(type: 'text' | 'raw', text: string): Leaf | undefined {
    const parts = [...this.leaves.keys()]
      .filter((key) => key.startsWith(`${type}:`))
      .map((key) => key.slice(type.length + 1))
      .filter((part) => part !== text && text.includes(part));
    const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
    return longest === '' ? undefined : this.leaves.get(`${type}:${longest}`);
  }

  keep(firstSeqs: ReadonlySet<number>, oldest: number): void {
    for (const leaf of this.leaves.values()) leaf.keep(firstSeqs, oldest);
  }

  trim(): void {
    let { bytes } = this;
    for (const [key, leaf] of this.leaves) {
      if (bytes <= maxBytes) return;
      bytes -= leaf.bytes;
      this.leaves.delete(key);
    }
  }
}
