/** How often a busy tree is redrawn, in milliseconds. */
const interval = 250;

/** As much of a row as the queue needs. */
interface QueuedRow<T> {
  readonly parent: T | undefined;
  /** Whether its text has changed since it was drawn, or `redrawing` was called. */
  isStale(): boolean;
  /** It is redrawn, sooner or later. */
  redrawing(): void;
}

/** Collects the rows that changed, so that a flood redraws them a few times a second, and no others. */
export class RefreshQueue<T extends QueuedRow<T>> {
  private readonly changed = new Set<T>();
  private readonly suspected = new Set<T>();
  private all = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param fire redraws these rows and those below them, or with `undefined` the whole tree */
  constructor(private readonly fire: (rows: T[] | undefined) => void) {}

  /** @param row `undefined` for the whole tree */
  add(row: T | undefined): void {
    if (row) this.changed.add(row);
    else this.all = true;
    this.wake();
  }

  /** Redraws the row if its own text changed. */
  suspect(row: T): void {
    this.suspected.add(row);
    this.wake();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private wake(): void {
    this.timer ??= setTimeout(() => this.flush(), interval);
  }

  /** Redraws what waits, without waiting any longer: VS Code reveals only rows that it knows. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const row of this.suspected) if (row.isStale()) this.changed.add(row);
    this.suspected.clear();
    for (const row of this.changed) row.redrawing();
    const rows = [...this.changed].filter((row) => !this.isCovered(row));
    this.changed.clear();
    if (this.all || rows.length > 0) this.fire(this.all ? undefined : rows);
    this.all = false;
  }

  /** A row is redrawn with all rows below it. */
  private isCovered(row: T): boolean {
    for (let above = row.parent; above; above = above.parent) if (this.changed.has(above)) return true;
    return false;
  }
}
