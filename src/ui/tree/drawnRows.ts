import type { TreeModel } from './treeModel';
import type { TreeNode } from './treeNode';

/**
 * The roots that VS Code was given, and what stood directly below them. While a row is drawn anew, VS Code knows the rows below it no more,
 * and a menu that is open on one of them acts on none: so no more than what has changed is drawn.
 */
export class DrawnRows {
  private roots: readonly TreeNode[] = [];
  /** Also below those that are folded: VS Code does not ask for that, and draws none of it. */
  private readonly below = new Map<TreeNode, readonly TreeNode[]>();

  constructor(private readonly model: Pick<TreeModel, 'roots' | 'children'>) {}

  /** VS Code was given the roots. */
  drew(roots: readonly TreeNode[]): void {
    this.roots = roots;
    this.below.clear();
    for (const root of roots) this.below.set(root, this.model.children(root));
  }

  /**
   * Below which of them others stand now, after runs came or went; `undefined` for the whole tree. A root that can be folded only now, or no
   * longer, has another id: of several rows VS Code leaves out such a one (`getItemsToRefresh` of its tree views).
   */
  changed(): readonly TreeNode[] | undefined {
    if (!isSame(this.roots, this.model.roots())) return undefined;
    const changed: TreeNode[] = [];
    for (const root of this.roots) {
      const [before = [], now] = [this.below.get(root), this.model.children(root)];
      if (isSame(before, now)) continue;
      if ((before.length === 0) !== (now.length === 0)) return undefined;
      this.below.set(root, now);
      changed.push(root);
    }
    return changed;
  }
}

/** A run that is another object now is another row. */
function isSame(before: readonly TreeNode[], now: readonly TreeNode[]): boolean {
  return before.length === now.length && before.every((node, index) => node === now[index]);
}
