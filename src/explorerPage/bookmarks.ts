import type { Cursor } from './cursor';
import type { Page } from './page';

/** The user's bookmarks, by record number. */
export class Bookmarks {
  constructor(
    private readonly page: Page,
    private readonly cursor: Cursor,
  ) {}

  /** Adds or removes a bookmark on the selected record. */
  toggle(): void {
    const { selection, marks } = this.page.view;
    if (!selection) return;
    const changed = new Set(marks);
    if (!changed.delete(selection.seq)) changed.add(selection.seq);
    this.page.update({ marks: changed });
  }

  /** Goes to the next bookmark, wrapping around. */
  next(): void {
    const { selection, marks } = this.page.view;
    const sorted = [...marks].sort((a, b) => a - b);
    const next = sorted.find((seq) => seq > (selection?.seq ?? 0)) ?? sorted[0];
    if (next !== undefined) this.cursor.goTo(next);
  }
}
