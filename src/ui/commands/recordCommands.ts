import * as vscode from 'vscode';
import type { RecordDocuments } from '../records/recordDocuments';
import { describeRecord } from '../records/describeRecord';
import { commandIds } from '../ids';
import type { SessionTree } from '../tree/sessionTree';
import { isTreeNode } from '../tree/treeNode';
import type { CommandTable } from './commandTable';

/** Commands about records; they are reached from the tree. */
export class RecordCommands {
  readonly table = {
    [commandIds.openRecord]: (arg) => this.open(arg),
    [commandIds.copyMessage]: (arg) => this.copyMessage(arg),
    [commandIds.copyRecord]: (arg) => this.copyRecord(arg),
    [commandIds.loadOlder]: (arg) => this.loadOlder(arg),
  } satisfies CommandTable;

  constructor(
    private readonly documents: RecordDocuments,
    private readonly tree: SessionTree,
  ) {}

  private async open(arg: unknown): Promise<void> {
    if (isTreeNode(arg) && arg.type === 'record') await this.documents.open(arg.run, arg.record);
  }

  private async copyMessage(arg: unknown): Promise<void> {
    if (!isTreeNode(arg)) return;
    // The key that copies may be pressed on any row.
    const text = arg.type === 'record' ? arg.record.message : this.tree.textOf(arg);
    await vscode.env.clipboard.writeText(text);
  }

  private async copyRecord(arg: unknown): Promise<void> {
    if (!isTreeNode(arg) || arg.type !== 'record') return;
    await vscode.env.clipboard.writeText(describeRecord(arg.record, arg.run));
  }

  private loadOlder(arg: unknown): Promise<void> {
    if (isTreeNode(arg) && arg.type === 'older') this.tree.loadOlder(arg.group);
    return Promise.resolve();
  }
}
