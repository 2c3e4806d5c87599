import type { TreeNode } from './treeNode';

/** How often a busy tree is redrawn, in milliseconds. */
const interval = 250;

/** Collects the rows that changed, so that a flood redraws them a few times a second and the rest not at all. */
export class RefreshQueue {
  private readonly changed = new Set<TreeNode>();
  private all = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param fire redraws these rows and what is below them, or with `undefined` the whole tree */
  constructor(private readonly fire: (nodes: TreeNode[] | undefined) => void) {}

  add(node: TreeNode | undefined): void {
    if (node) this.changed.add(node);
    else this.all = true;
    this.timer ??= setTimeout(() => this.flush(), interval);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private flush(): void {
    this.timer = undefined;
    const nodes = [...this.changed].filter((node) => !this.isCovered(node));
    this.changed.clear();
    this.fire(this.all ? undefined : nodes);
    this.all = false;
  }

  /** A run is redrawn with all its sessions. */
  private isCovered(node: TreeNode): boolean {
    if (node.type !== 'group') return false;
    for (const other of this.changed) if (other.type === 'run' && other.run === node.run) return true;
    return false;
  }
}
