import type { TreeModel } from './treeModel';
import type { TreeNode } from './treeNode';

/**
 * The rows that VS Code has of the roots and of what stands directly below them. While a row is drawn anew, VS Code knows the rows below it no
 * more, and a menu that is open on one of them acts on none: so no more than what has changed is drawn.
 */
export class DrawnRows {
  private readonly rows = new Map<TreeNode | undefined, readonly TreeNode[]>();

  /** VS Code was given these rows. */
  drew(node: TreeNode | undefined, children: readonly TreeNode[]): void {
    if (!node) this.rows.clear();
    if (!node || node.type === 'agent' || node.type === 'past') this.rows.set(node, children);
  }

  /** Below which of them others stand now, after runs came or went; `undefined` for the whole tree. */
  changed(model: Pick<TreeModel, 'roots' | 'children'>): readonly TreeNode[] | undefined {
    const roots = model.roots();
    if (!this.has(undefined, roots)) return undefined;
    return roots.filter((root) => !this.has(root, model.children(root)));
  }

  /** A run that is another object now is another row. */
  private has(node: TreeNode | undefined, children: readonly TreeNode[]): boolean {
    const drawn = this.rows.get(node);
    return drawn?.length === children.length && children.every((child, index) => child === drawn[index]);
  }
}
