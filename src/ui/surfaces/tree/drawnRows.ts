/** As much of a row as is compared. */
interface ComparedRow {
  itemId(): string;
  children(): readonly ComparedRow[];
}

interface DrawnRoot {
  readonly itemId: string;
  /** Also of a root that was collapsed, although VS Code never asks for what is below that. */
  below: readonly ComparedRow[];
}

/**
 * The roots that VS Code has, and the rows directly below them. While a row is redrawn, VS Code doesn't know the rows below it, and a menu
 * that is open on one of them does nothing; and if the whole tree is, a row that is being expanded stays empty. So only rows that changed are
 * redrawn.
 */
export class DrawnRows<T extends ComparedRow> {
  private roots: ReadonlyMap<T, DrawnRoot> = new Map();

  /** Call this when VS Code gets the roots. */
  drew(roots: readonly T[]): void {
    this.roots = new Map(roots.map((root) => [root, { itemId: root.itemId(), below: root.children() }]));
  }

  /** Call this when VS Code gets the rows below one. */
  drewBelow(row: T, below: readonly ComparedRow[]): void {
    const root = this.roots.get(row);
    if (root) root.below = below;
  }

  /**
   * Which roots have other rows below them now, or `undefined` if the whole tree must be redrawn: also if the ID of a root changed, because VS
   * Code skips such a row when it refreshes several (`getItemsToRefresh` in its tree views).
   */
  changed(roots: readonly T[]): readonly T[] | undefined {
    if (!isSame([...this.roots.keys()], roots)) return undefined;
    if (roots.some((root) => this.roots.get(root)?.itemId !== root.itemId())) return undefined;
    const changed: T[] = [];
    for (const [root, drawn] of this.roots) {
      const now = root.children();
      if (isSame(drawn.below, now)) continue;
      drawn.below = now;
      changed.push(root);
    }
    return changed;
  }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((row, index) => row === now[index]);
}
