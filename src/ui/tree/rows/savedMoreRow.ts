import * as vscode from 'vscode';
import { commandIds } from '../../ids';
import { accessibleLabel } from '../accessibleLabel';
import { Row } from './row';
import type { SavedAgentRow } from './savedAgentRow';

/** Below an agent's saved sessions: shows older ones, or those of other folders. */
export class SavedMoreRow extends Row {
  readonly id: string;

  constructor(
    readonly parent: SavedAgentRow,
    private readonly shows: 'older' | 'folders',
  ) {
    super();
    this.id = `savedMore:${parent.agent}:${shows}`;
  }

  /** Lists more sessions; settles when they are shown. */
  showMore(): Promise<void> {
    return this.shows === 'older' ? this.parent.showOlder() : this.parent.showAllFolders();
  }

  protected draw(): vscode.TreeItem {
    const isOlder = this.shows === 'older';
    const title = isOlder ? vscode.l10n.t('Show Older Sessions') : vscode.l10n.t('Show All Folders');
    const item = new vscode.TreeItem(title);
    item.iconPath = new vscode.ThemeIcon(isOlder ? 'fold-down' : 'folder-library');
    item.command = { command: commandIds.loadOlder, title, arguments: [this] };
    item.accessibilityInformation = accessibleLabel(title);
    return item;
  }
}
