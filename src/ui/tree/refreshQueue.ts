import type { TreeNode } from './treeNode';

/** How often a busy tree is redrawn, in milliseconds. */
const interval = 250;

/** Collects the rows that changed, so that a flood redraws them a few times a second and the rest not at all. */
export class RefreshQueue {
  private readonly changed = new Set<TreeNode>();
  private readonly suspected = new Set<TreeNode>();
  private all = false;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param fire redraws these rows and what is below them, or with `undefined` the whole tree
   * @param isStale whether a row says something else now than where it was drawn
   */
  constructor(
    private readonly fire: (nodes: TreeNode[] | undefined) => void,
    private readonly isStale: (node: TreeNode) => boolean,
  ) {}

  add(node: TreeNode | undefined): void {
    if (node) this.changed.add(node);
    else this.all = true;
    this.wake();
  }

  /** Its own row may say something else now; what is below it has not changed. */
  suspect(node: TreeNode): void {
    this.suspected.add(node);
    this.wake();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private wake(): void {
    this.timer ??= setTimeout(() => this.flush(), interval);
  }

  private flush(): void {
    this.timer = undefined;
    for (const node of this.suspected) if (this.isStale(node)) this.changed.add(node);
    this.suspected.clear();
    const nodes = [...this.changed].filter((node) => !this.isCovered(node));
    this.changed.clear();
    if (this.all || nodes.length > 0) this.fire(this.all ? undefined : nodes);
    this.all = false;
  }

  /** A run is redrawn with all its sessions. */
  private isCovered(node: TreeNode): boolean {
    if (node.type !== 'group') return false;
    for (const other of this.changed) if (other.type === 'run' && other.run === node.run) return true;
    return false;
  }
}
