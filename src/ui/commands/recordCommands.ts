import * as vscode from 'vscode';
import { CommandTarget } from '../commandTarget';
import { describeRecord } from '../records/describeRecord';
import { commandIds } from '../ids';
import { OlderRow } from '../tree/rows/groupRow';
import { Row } from '../tree/rows/row';
import type { CommandContext, CommandTable } from './commandContext';

/** Commands about records, run from the tree. */
export class RecordCommands {
  readonly table = {
    [commandIds.openRecord]: (arg) => this.open(arg),
    [commandIds.copyMessage]: (arg) => this.copyMessage(arg),
    [commandIds.copyRecord]: (arg) => this.copyRecord(arg),
    [commandIds.loadOlder]: (arg) => this.loadOlder(arg),
  } satisfies CommandTable;

  constructor(private readonly services: CommandContext) {}

  private async open(arg: unknown): Promise<void> {
    if (arg instanceof CommandTarget && arg.run && arg.record) await this.services.documents.open(arg.run, arg.record);
  }

  private async copyMessage(arg: unknown): Promise<void> {
    // The keyboard shortcut works on any row.
    if (arg instanceof Row) await vscode.env.clipboard.writeText(arg.record?.message ?? arg.text());
  }

  private async copyRecord(arg: unknown): Promise<void> {
    if (!(arg instanceof CommandTarget) || !arg.run || !arg.record) return;
    await vscode.env.clipboard.writeText(describeRecord(arg.record, arg.run));
  }

  private loadOlder(arg: unknown): Promise<void> {
    if (arg instanceof OlderRow) this.services.tree.loadOlder(arg.parent);
    return Promise.resolve();
  }
}
