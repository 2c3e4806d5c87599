import * as vscode from 'vscode';
import { commandIds } from '../../ids';
import { accessibleLabel } from '../accessibleLabel';
import { Row } from './row';

/** Below the past runs: leads to those that have no row. */
export class MorePastRow extends Row {
  readonly id: string;

  constructor(
    readonly parent: Row,
    readonly count: number,
  ) {
    super();
    this.id = `morePast:${count}`;
  }

  protected draw(): vscode.TreeItem {
    const title = vscode.l10n.t('Open Past Run…');
    const item = new vscode.TreeItem(vscode.l10n.t('{0} older…', this.count.toLocaleString()));
    item.iconPath = new vscode.ThemeIcon('fold-down');
    item.command = { command: commandIds.openPastRun, title };
    item.accessibilityInformation = accessibleLabel(title, vscode.l10n.t('{0} older…', this.count.toLocaleString()));
    return item;
  }
}
