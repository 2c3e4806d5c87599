import * as vscode from 'vscode';
import { plainText } from '../../../text/text';
import { isObject } from '../../../text/json';
import { CommandTarget } from '../../kit/commandTarget';
import type { RecordAction } from '../../../explorer/page/messages';
import { tabs } from '../../../explorer/page/messages';
import { describeRecord } from '../../../explorer/record/describeRecord';
import { commandIds } from '../../manifest/commands';
import { MoreRow } from '../tree/rows/moreRow';
import { Row } from '../tree/rows/row';
import type { CommandContext, CommandTable } from './commandContext';
import { optional, optionsOf } from './targets';

/** Commands of the Log Explorer, and about records in it and in the tree. */
export const explorerCommands = {
  [commandIds.openExplorer]: openExplorer,
  [commandIds['explorer.find']]: find,
  [commandIds.openRecord]: openRecord,
  [commandIds.openAsText]: openAsText,
  [commandIds.copyMessage]: copyMessage,
  [commandIds.copyRecord]: copyRecord,
  [commandIds.copyMarkdown]: (services, arg) => inExplorer(services, arg, 'copyMarkdown'),
  [commandIds.copyRawLine]: (services, arg) => inExplorer(services, arg, 'copyRaw'),
  [commandIds.revealInTree]: (services, arg) => inExplorer(services, arg, 'revealInTree'),
  [commandIds.openJournalLine]: (services, arg) => inExplorer(services, arg, 'openJournal'),
  [commandIds.loadOlder]: loadOlder,
} satisfies CommandTable;

/** @param arg a row of the tree, or `{ runId, sessionId?, query?, seq?, tab? }`; without it, the user picks a run. Returns the run's ID. */
async function openExplorer(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const run = await services.targets.view(
    arg,
    vscode.l10n.t('Select a run to open in the Log Explorer'),
    'openExplorer',
  );
  if (!run) return undefined;
  const explorers = await services.explorer.load();
  if (arg instanceof CommandTarget) {
    const { record, request, sessionId, keepsFocus: preserveFocus } = arg;
    const message = request && run.log.messageOf(request);
    if (record) await explorers.open({ run, seq: record.seq });
    else if (message !== undefined) await explorers.open({ run, tab: 'wire', message, preserveFocus });
    else await explorers.openAtProblem({ run, sessionId, preserveFocus });
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

async function find(services: CommandContext): Promise<void> {
  (await services.explorer.load()).focusFilter();
}

async function openRecord(services: CommandContext, arg: unknown): Promise<void> {
  if (!(arg instanceof CommandTarget) || !arg.run || !arg.record) return;
  const explorers = await services.explorer.load();
  await explorers.open({ run: arg.run, seq: arg.record.seq, preserveFocus: true });
}

async function openAsText(services: CommandContext, arg: unknown): Promise<void> {
  if (!(arg instanceof CommandTarget)) await inExplorer(services, arg, 'openAsText');
  else if (arg.run && arg.record) await services.documents.open(arg.run, arg.record);
}

async function copyMessage(services: CommandContext, arg: unknown): Promise<void> {
  // The keyboard shortcut works on any row.
  const row = arg instanceof CommandTarget ? arg.row : undefined;
  if (row instanceof Row) await vscode.env.clipboard.writeText(plainText(row.target.record?.message ?? row.text()));
  else await inExplorer(services, arg, 'copyMessage');
}

async function copyRecord(services: CommandContext, arg: unknown): Promise<void> {
  if (!(arg instanceof CommandTarget)) await inExplorer(services, arg, 'copyJson');
  else if (arg.run && arg.record) await vscode.env.clipboard.writeText(describeRecord(arg.record, arg.run));
}

/** @param arg what the page says about the row that was clicked */
async function inExplorer(services: CommandContext, arg: unknown, action: RecordAction): Promise<void> {
  if (!isObject(arg) || arg['webviewSection'] !== 'record' || typeof arg['seq'] !== 'number') return;
  (await services.explorer.load()).active?.act(action, [arg['seq']]);
}

async function loadOlder(_services: CommandContext, arg: unknown): Promise<void> {
  if (arg instanceof CommandTarget && arg.row instanceof MoreRow) await arg.row.showMore();
}
