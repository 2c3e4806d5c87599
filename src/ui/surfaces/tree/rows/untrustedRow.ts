import * as vscode from 'vscode';
import { accessibleLabel } from '../format';
import { Row } from './row';

/** Why there are no agents in an untrusted workspace. The view's welcome says the same if there are no rows. */
export class UntrustedRow extends Row {
  static readonly context = 'untrusted';
  readonly id = 'untrusted';
  readonly parent = undefined;

  override tooltip(): string {
    return vscode.l10n.t(
      "Agents are programs that can change this folder. They can't start because the workspace isn't trusted. Click to manage workspace trust.",
    );
  }

  protected draw(): vscode.TreeItem {
    const label = vscode.l10n.t("Agents can't start");
    const item = new vscode.TreeItem(label);
    item.description = vscode.l10n.t('not trusted');
    item.iconPath = new vscode.ThemeIcon('workspace-untrusted');
    item.contextValue = UntrustedRow.context;
    const title = vscode.l10n.t('Manage Workspace Trust');
    item.command = { command: 'workbench.trust.manage', title };
    item.accessibilityInformation = accessibleLabel(label, `${item.description}, ${title}`);
    return item;
  }
}
