import { Bitmap } from '../../log/query/bitmap';
import type { TextTest } from '../../log/query/textTest';
import type { PageColumns } from '../../log/store/pageColumns';
import type { StoredPage } from '../../log/store/store';

/** What one term, or several as one, asks of a record. The key is the same for the same question. */
export type LeafTest =
  /** Needs no texts: adds the numbers of those that pass, of the places from `from` up to `end`. */
  | {
      readonly type: 'columns';
      readonly key: string;
      mark(stored: StoredPage, from: number, end: number, into: Bitmap): void;
    }
  | { readonly type: 'text' | 'raw'; readonly key: string; readonly test: TextTest; readonly text: string }
  | { readonly type: 'regex'; readonly key: string; readonly source: string; readonly ignoresCase: boolean };

/** Which records are known to pass a test. */
export class Leaf {
  bits = new Bitmap();
  /** How many records of each page were tested, by the number of its first. */
  private covered = new Map<number, number>();

  get bytes(): number {
    return this.bits.bytes + this.covered.size * 40;
  }

  /** How many records of a page were tested. */
  coveredOf(page: PageColumns): number {
    return this.covered.get(page.firstSeq) ?? 0;
  }

  cover(page: PageColumns, count: number): void {
    this.covered.set(page.firstSeq, count);
  }

  /** Forgets pages that are gone. */
  keep(firstSeqs: ReadonlySet<number>, oldest: number): void {
    this.covered = new Map([...this.covered].filter(([firstSeq]) => firstSeqs.has(firstSeq)));
    this.bits.forgetBelow(oldest);
  }
}

/** Maximum memory for the bitmaps of a run that no query needs now, in bytes. */
const maxBytes = 8 * 1024 * 1024;

/** The bitmaps of a run, for all queries over it: the least recently used go first. */
export class LeafCache {
  private readonly leaves = new Map<string, Leaf>();
  private readonly users = new Set<object>();

  get bytes(): number {
    return [...this.leaves.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  use(user: object): void {
    this.users.add(user);
  }

  /** Frees everything when the last user is gone. */
  release(user: object): void {
    this.users.delete(user);
    if (this.users.size === 0) this.leaves.clear();
  }

  of(key: string): Leaf {
    const leaf = this.leaves.get(key) ?? new Leaf();
    this.leaves.delete(key);
    this.leaves.set(key, leaf);
    return leaf;
  }

  /** What is known of the longest text that is part of this one: only records that have it can have this one. */
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
