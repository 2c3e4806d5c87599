import * as vscode from 'vscode';
import { isObject } from '../../protocols/json';
import { CommandTarget } from '../commandTarget';
import type { RecordAction } from '../explorer/messages';
import { describeRecord } from '../records/describeRecord';
import { commandIds } from '../ids';
import { MoreRow } from '../tree/rows/moreRow';
import { Row } from '../tree/rows/row';
import type { CommandContext, CommandTable } from './commandContext';

/** Commands about records, run from the tree and from the explorer's context menu. */
export class RecordCommands {
  readonly table = {
    [commandIds.openRecord]: (arg) => this.open(arg),
    [commandIds.openAsText]: (arg) => this.openAsText(arg),
    [commandIds.copyMessage]: (arg) => this.copyMessage(arg),
    [commandIds.copyRecord]: (arg) => this.copyRecord(arg),
    [commandIds.copyMarkdown]: (arg) => this.inExplorer(arg, 'copyMarkdown'),
    [commandIds.copyRawLine]: (arg) => this.inExplorer(arg, 'copyRaw'),
    [commandIds.revealInTree]: (arg) => this.inExplorer(arg, 'revealInTree'),
    [commandIds.openJournalLine]: (arg) => this.inExplorer(arg, 'openJournal'),
    [commandIds.loadOlder]: (arg) => this.loadOlder(arg),
  } satisfies CommandTable;

  constructor(private readonly services: CommandContext) {}

  private async open(arg: unknown): Promise<void> {
    if (!(arg instanceof CommandTarget) || !arg.run || !arg.record) return;
    const explorers = await this.services.explorer.load();
    await explorers.open({ run: arg.run, seq: arg.record.seq, preserveFocus: true });
  }

  private async openAsText(arg: unknown): Promise<void> {
    if (!(arg instanceof CommandTarget)) await this.inExplorer(arg, 'openAsText');
    else if (arg.run && arg.record) await this.services.documents.open(arg.run, arg.record);
  }

  private async copyMessage(arg: unknown): Promise<void> {
    // The keyboard shortcut works on any row.
    if (arg instanceof Row) await vscode.env.clipboard.writeText(arg.record?.message ?? arg.text());
    else await this.inExplorer(arg, 'copyMessage');
  }

  private async copyRecord(arg: unknown): Promise<void> {
    if (!(arg instanceof CommandTarget)) await this.inExplorer(arg, 'copyJson');
    else if (arg.run && arg.record) await vscode.env.clipboard.writeText(describeRecord(arg.record, arg.run));
  }

  /** @param arg what the page says about the row that was clicked */
  private async inExplorer(arg: unknown, action: RecordAction): Promise<void> {
    if (!isObject(arg) || arg['webviewSection'] !== 'record' || typeof arg['seq'] !== 'number') return;
    (await this.services.explorer.load()).active?.act(action, [arg['seq']]);
  }

  private async loadOlder(arg: unknown): Promise<void> {
    if (arg instanceof MoreRow) await arg.showMore();
  }
}
