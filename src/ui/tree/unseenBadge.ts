import * as vscode from 'vscode';

/** How often the badge is redrawn, in milliseconds. */
const interval = 250;

/** The view's badge: how many warnings and errors came while the view was hidden. */
export class UnseenBadge {
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly view: Pick<vscode.TreeView<unknown>, 'visible' | 'badge'>) {}

  add(count: number): void {
    if (count === 0 || this.view.visible) return;
    this.count += count;
    this.timer ??= setTimeout(() => this.draw(), interval);
  }

  clear(): void {
    if (this.count > 0) this.view.badge = undefined;
    this.count = 0;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private draw(): void {
    this.timer = undefined;
    if (this.count === 0) return;
    const tooltip =
      this.count === 1
        ? vscode.l10n.t('1 new warning or error')
        : vscode.l10n.t('{0} new warnings or errors', this.count);
    this.view.badge = { value: this.count, tooltip };
  }
}
