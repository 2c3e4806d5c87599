/** As much of a row as is compared. */
interface ComparedRow {
  children(): readonly ComparedRow[];
}

/**
 * The roots that VS Code has, and the rows directly below them. While a row is redrawn, VS Code doesn't know the rows below it, and a menu
 * that is open on one of them does nothing; so only rows that changed are redrawn.
 */
export class DrawnRows<T extends ComparedRow> {
  private roots: readonly T[] = [];
  /** Collapsed roots included, although VS Code never asks for what is below those. */
  private readonly below = new Map<T, readonly ComparedRow[]>();

  /** Call this when VS Code gets the roots. */
  drew(roots: readonly T[]): void {
    this.roots = roots;
    this.below.clear();
    for (const root of roots) this.below.set(root, root.children());
  }

  /**
   * Which roots have other rows below them now, or `undefined` if the whole tree must be redrawn: also if a root got its first row or lost its
   * last, because its id changes, and VS Code skips such a row when it refreshes several (`getItemsToRefresh` in its tree views).
   */
  changed(roots: readonly T[]): readonly T[] | undefined {
    if (!isSame(this.roots, roots)) return undefined;
    const changed: T[] = [];
    for (const root of roots) {
      const [before = [], now] = [this.below.get(root), root.children()];
      if (isSame(before, now)) continue;
      if ((before.length === 0) !== (now.length === 0)) return undefined;
      this.below.set(root, now);
      changed.push(root);
    }
    return changed;
  }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((row, index) => row === now[index]);
}
