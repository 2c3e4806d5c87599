import type { Explorer } from './explorer';

/** The user's bookmarks, by record number. */
export class Bookmarks {
  constructor(private readonly explorer: Explorer) {}

  /** Adds or removes a bookmark on the selected record. */
  toggle(): void {
    const { selection, marks } = this.explorer.view;
    if (!selection) return;
    const changed = new Set(marks);
    if (!changed.delete(selection.seq)) changed.add(selection.seq);
    this.explorer.update({ marks: changed });
  }

  /** Goes to the next bookmark, wrapping around. */
  next(): void {
    const { selection, marks } = this.explorer.view;
    const sorted = [...marks].sort((a, b) => a - b);
    const next = sorted.find((seq) => seq > (selection?.seq ?? 0)) ?? sorted[0];
    if (next !== undefined) this.explorer.cursor.goTo(next);
  }
}
