import * as vscode from 'vscode';
import { commandIds } from '../../../manifest/commands';
import { accessibleLabel } from '../format';
import { Row } from './row';
import { shownCount } from '../../../kit/translate';

interface More {
  readonly icon: string;
  /** What a click does. */
  readonly title: string;
  /** Number of rows that aren't shown, if known. */
  readonly count?: number;
  /** Shown behind the title, if it isn't empty. */
  readonly about?: () => string;
  readonly show: () => unknown;
}

/** At the end of a list where rows are left out: shows more of it. */
export class MoreRow extends Row {
  constructor(
    readonly parent: Row,
    readonly id: string,
    private readonly more: More,
  ) {
    super(parent.target);
  }

  /** Settles when more is shown. */
  async showMore(): Promise<void> {
    await this.more.show();
  }

  protected draw(): vscode.TreeItem {
    const { icon, title, count, about } = this.more;
    const older = count === undefined ? undefined : vscode.l10n.t('{0} older…', shownCount(count));
    const item = new vscode.TreeItem(older ?? title);
    item.iconPath = new vscode.ThemeIcon(icon);
    const facts = about?.() ?? '';
    if (facts !== '') item.description = facts;
    item.command = { command: commandIds.loadOlder, title, arguments: [this.target] };
    item.accessibilityInformation = accessibleLabel(title, older, facts);
    return item;
  }
}
