import * as vscode from 'vscode';
import { commandIds } from '../../../manifest/commands';
import { accessibleLabel } from '../format';
import { Row } from './row';

/** An agent that can be used at once although nothing has run yet: the sample agent, or one that is installed but not in the settings. */
export class StarterRow extends Row {
  static readonly context = 'starter';
  readonly id: string;
  readonly parent = undefined;

  /** @param installed the name of an agent in the catalogue; `undefined` for the sample agent */
  constructor(private readonly installed: string | undefined) {
    super();
    this.id = `starter:${installed ?? ''}`;
  }

  protected draw(): vscode.TreeItem {
    const name = this.installed ?? vscode.l10n.t('Start Sample Agent');
    const item = new vscode.TreeItem(name);
    item.description =
      this.installed === undefined
        ? vscode.l10n.t('built in, needs no API key')
        : vscode.l10n.t('installed · select to add');
    item.iconPath = new vscode.ThemeIcon(this.installed === undefined ? 'beaker' : 'add');
    item.contextValue = StarterRow.context;
    item.command =
      this.installed === undefined
        ? { command: commandIds.startSampleAgent, title: name }
        : {
            command: commandIds.addAgent,
            title: vscode.l10n.t('Add {0}', name),
            arguments: [{ agent: this.installed }],
          };
    item.accessibilityInformation = accessibleLabel(name, item.description);
    return item;
  }
}
