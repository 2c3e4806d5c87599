import * as vscode from 'vscode';
import { plainText } from '../../log/text';
import { isObject } from '../../log/json';
import { CommandTarget } from '../commandTarget';
import type { RecordAction } from '../explorer/messages';
import { tabs } from '../explorer/messages';
import { describeRecord } from '../records/describeRecord';
import { commandIds } from '../ids';
import { MoreRow } from '../tree/rows/moreRow';
import { Row } from '../tree/rows/row';
import type { CommandContext, CommandTable } from './commandContext';
import { optional, optionsOf } from './targets';

/** Commands of the Log Explorer, and about records in it and in the tree. */
export class ExplorerCommands {
  readonly table = {
    [commandIds.openExplorer]: (arg) => this.openExplorer(arg),
    [commandIds.explorerFind]: () => this.find(),
    [commandIds.openRecord]: (arg) => this.openRecord(arg),
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

  /** @param arg a row of the tree, or `{ runId, sessionId?, query?, seq?, tab? }`; without it, the user picks a run. Returns the run's ID. */
  private async openExplorer(arg: unknown): Promise<string | undefined> {
    const run = await this.services.targets.view(
      arg,
      vscode.l10n.t('Select a run to open in the Log Explorer'),
      'openExplorer',
    );
    if (!run) return undefined;
    const explorers = await this.services.explorer.load();
    if (arg instanceof CommandTarget) {
      await explorers.open({ run, sessionId: arg.record ? undefined : arg.sessionId, seq: arg.record?.seq });
      return run.id;
    }
    const given = optionsOf(arg);
    const sessionId = optional(given, 'sessionId', 'string');
    const query = optional(given, 'query', 'string');
    const seq = optional(given, 'seq', 'number');
    const tab = tabs.find((known) => known === given['tab']);
    await explorers.open({ run, sessionId, query, seq, tab });
    return run.id;
  }

  private async find(): Promise<void> {
    (await this.services.explorer.load()).focusFilter();
  }

  private async openRecord(arg: unknown): Promise<void> {
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
    if (arg instanceof Row) await vscode.env.clipboard.writeText(plainText(arg.record?.message ?? arg.text()));
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
