import { rowPage } from '../../explorer/page/messages';

/** About 30 screens. */
const maxPages = 24;

/** Rows to load. */
export interface Stretch {
  readonly from: number;
  readonly count: number;
}

interface Page<T> {
  readonly rows: readonly T[];
  /** Its rows may have moved; they are shown until new ones arrive. */
  isStale: boolean;
}

/** The rows around the view, by position among the matches. */
export class RowCache<T> {
  private readonly pages = new Map<number, Page<T>>();
  private readonly asked = new Set<number>();

  get(index: number): T | undefined {
    return this.pages.get(Math.floor(index / rowPage))?.rows[index % rowPage];
  }

  /** The pages to load for these rows. A page isn't requested again until it has arrived, or `invalidate` is called. */
  wanted(first: number, count: number, total: number): readonly Stretch[] {
    const wanted: Stretch[] = [];
    const last = Math.min(first + count, total) - 1;
    for (let page = Math.floor(Math.max(0, first) / rowPage); page * rowPage <= last; page++) {
      const known = this.pages.get(page);
      const rowsThere = Math.min(rowPage, total - page * rowPage);
      if ((known && !known.isStale && known.rows.length >= rowsThere) || this.asked.has(page)) continue;
      this.asked.add(page);
      wanted.push({ from: page * rowPage, count: rowsThere });
    }
    return wanted;
  }

  /** @param from the first position of a page; more pages may follow */
  put(from: number, rows: readonly T[]): void {
    for (let at = 0; at < rows.length || at === 0; at += rowPage) {
      const page = Math.floor((from + at) / rowPage);
      this.asked.delete(page);
      this.pages.delete(page); // moves it to the end: the first is evicted
      this.pages.set(page, { rows: rows.slice(at, at + rowPage), isStale: false });
    }
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= maxPages) break;
      this.pages.delete(oldest);
    }
  }

  /** Call if rows may have other positions. */
  invalidate(): void {
    for (const page of this.pages.values()) page.isStale = true;
    this.asked.clear();
  }

  clear(): void {
    this.pages.clear();
    this.asked.clear();
  }
}
