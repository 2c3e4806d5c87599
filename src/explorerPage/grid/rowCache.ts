import type { Row } from '../../ui/explorer/messages';

const pageSize = 100;
const maxPages = 40;

interface Page {
  readonly rows: readonly Row[];
  /** Its rows may have moved, or been added to: it is shown until the new one is here. */
  isStale: boolean;
}

/** The rows around what is in view, by position among the matches. */
export class RowCache {
  private readonly pages = new Map<number, Page>();
  private readonly asked = new Set<number>();

  get(index: number): Row | undefined {
    return this.pages.get(Math.floor(index / pageSize))?.rows[index % pageSize];
  }

  /** What to ask for so that these rows are here. Nothing is asked for twice until it has come, or `invalidate`. */
  wanted(first: number, count: number, total: number): { from: number; count: number }[] {
    const wanted: { from: number; count: number }[] = [];
    const last = Math.min(first + count, total) - 1;
    for (let page = Math.floor(Math.max(0, first) / pageSize); page * pageSize <= last; page++) {
      const known = this.pages.get(page);
      const rowsThere = Math.min(pageSize, total - page * pageSize);
      if ((known && !known.isStale && known.rows.length >= rowsThere) || this.asked.has(page)) continue;
      this.asked.add(page);
      wanted.push({ from: page * pageSize, count: rowsThere });
    }
    return wanted;
  }

  /** @param from as it was asked for */
  put(from: number, rows: readonly Row[]): void {
    const page = Math.floor(from / pageSize);
    this.asked.delete(page);
    this.pages.delete(page); // The newest is the last to go.
    this.pages.set(page, { rows, isStale: false });
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= maxPages) break;
      this.pages.delete(oldest);
    }
  }

  /** Every row may have moved. */
  invalidate(): void {
    for (const page of this.pages.values()) page.isStale = true;
    this.asked.clear();
  }

  clear(): void {
    this.pages.clear();
    this.asked.clear();
  }
}
