import * as vscode from 'vscode';

/** How often the badge is redrawn, in milliseconds. */
const interval = 250;

/** The view's badge: how many warnings and errors came while the view was hidden, and weren't settled meanwhile. */
export class UnseenBadge {
  private count = 0;
  /** By run: the first record that came while the view was hidden. */
  private readonly first = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'badge'>) {}

  /**
   * @param after earlier records of the run have been counted or seen
   * @param count number of new warnings and errors
   * @param settled the `seq` of problems that no longer hold
   */
  add(runId: string, after: number, count: number, settled: readonly number[]): void {
    if (this.view.visible) return;
    const first = this.first.get(runId) ?? after + 1;
    this.first.set(runId, first);
    const before = this.count;
    this.count = Math.max(0, before + count - settled.filter((seq) => seq >= first).length);
    if (this.count !== before) this.timer ??= setTimeout(() => this.draw(), interval);
  }

  clear(): void {
    if (this.count > 0) this.view.badge = undefined;
    this.count = 0;
    this.first.clear();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private draw(): void {
    this.timer = undefined;
    if (this.count === 0) {
      this.view.badge = undefined;
      return;
    }
    const tooltip =
      this.count === 1
        ? vscode.l10n.t('1 new warning or error')
        : vscode.l10n.t('{0} new warnings or errors', this.count);
    this.view.badge = { value: this.count, tooltip };
  }
}
