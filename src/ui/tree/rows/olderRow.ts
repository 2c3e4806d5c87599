import * as vscode from 'vscode';
import type { RunView } from '../../../runs/runView';
import { commandIds } from '../../ids';
import { accessibleLabel } from '../accessibleLabel';
import { Row } from './row';

/** Below a session's records: loads older ones. */
export class OlderRow extends Row {
  readonly id: string;
  override readonly run: RunView;

  constructor(
    readonly parent: Row & { readonly run: RunView; loadOlder(): void },
    readonly count: number,
  ) {
    super();
    this.run = parent.run;
    this.id = `older:${parent.id}`;
  }

  protected draw(): vscode.TreeItem {
    const title = vscode.l10n.t('Load Older Records');
    const item = new vscode.TreeItem(vscode.l10n.t('{0} older…', this.count.toLocaleString()));
    item.iconPath = new vscode.ThemeIcon('fold-down');
    item.command = { command: commandIds.loadOlder, title, arguments: [this] };
    item.accessibilityInformation = accessibleLabel(title, vscode.l10n.t('{0} older…', this.count.toLocaleString()));
    return item;
  }
}
