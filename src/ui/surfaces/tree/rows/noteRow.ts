import * as vscode from 'vscode';
import { cutAnywhere, shownLine, plainText } from '../../../../text/text';
import { accessibleLabel } from '../format';
import { levelIcon } from '../icons';
import { Row } from './row';

/** Explains why a row has nothing below it. */
export class NoteRow extends Row {
  readonly id: string;

  constructor(
    readonly parent: Row,
    private readonly message: string,
    private readonly kind: 'info' | 'warning',
  ) {
    super();
    this.id = `note:${parent.id}`;
  }

  override tooltip(): string {
    return plainText(cutAnywhere(this.message, 2000));
  }

  protected draw(): vscode.TreeItem {
    const item = new vscode.TreeItem(shownLine(this.message, 200));
    item.iconPath = levelIcon(this.kind);
    item.accessibilityInformation = accessibleLabel(shownLine(this.message, 500));
    return item;
  }
}
