import { t } from '../../../text/translator';
import * as vscode from 'vscode';
import { HumanError } from '../../../text/humanError';
import { isBeingWritten } from '../../../runs/actions';
import { isOurs, isFileRun } from '../../../past/files/fileRuns';
import type { RunView } from '../../../runLog/runView';
import { isLive } from '../../../runLog/runView';
import { CommandTarget } from '../../kit/commandTarget';
import { commandIds } from '../../manifest/commands';
import { confirm, showBriefly, showInformation } from '../../kit/notify';
import { pickSession } from '../search/pickSession';
import { recentRuns } from '../search/recentSessions';
import type { CommandContext, CommandTable } from './commandContext';
import { showPicked } from './searchCommand';
import { able } from './targets';
import { shownDate } from '../../kit/translate';
import { revealFile } from '../../kit/openFile';

/** Commands about journals. */
export const journalCommands = {
  [commandIds.openPastRun]: openPastRun,
  [commandIds.revealJournal]: reveal,
  [commandIds.deleteJournal]: deleteJournal,
} satisfies CommandTable;

async function openPastRun(services: CommandContext): Promise<string | undefined> {
  const { fileRuns, views } = services;
  const recent = await recentRuns(fileRuns, views);
  if (recent.length === 0) {
    void showInformation(vscode.l10n.t('No past runs. Runs are saved while `agentLogs.journal.enabled` is on.'));
    return undefined;
  }
  const title = vscode.l10n.t('Select a past run to open');
  const { picked } = await pickSession(services, {
    title,
    recent: Promise.resolve(recent),
    runs: true,
    saved: false,
  });
  return picked && showPicked(picked, services);
}

async function reveal(services: CommandContext, arg: unknown): Promise<void> {
  const run = await services.targets.view(arg, vscode.l10n.t('Select a run to reveal its journal'), 'revealJournal');
  if (!run) return;
  await run.journal?.flush();
  const path = run.journal?.path;
  if (path === undefined) {
    throw noJournal();
  }
  await revealFile(vscode.Uri.file(path));
}

/** @param arg a row, or the id of a run or `{ runId }` from another extension, which doesn't have to confirm */
async function deleteJournal(services: CommandContext, arg: unknown): Promise<void> {
  const run = arg === undefined ? await askDeletable(services) : services.targets.viewOf(arg);
  if (!run && arg === undefined) return;
  if (!run || isLive(run)) {
    throw new HumanError(t('The run is still running. Stop it before you delete its journal.'));
  }
  if (isFileRun(run) && !isOurs(run)) {
    throw new HumanError(t("{0} wasn't created by Agent Logs, so it can't be deleted here.", run.name));
  }
  if (isFileRun(run) && isBeingWritten(run)) {
    throw new HumanError(t('A tap or another window is still writing this journal.'));
  }
  if (run.journal?.path === undefined) throw noJournal();
  const isAsked = arg === undefined || arg instanceof CommandTarget;
  if (isAsked && !(await confirmDelete(run))) return;
  if (isFileRun(run)) await services.fileRuns.delete(run);
  else await run.journal.delete();
  if (isAsked) {
    showBriefly(vscode.l10n.t('Deleted the journal of {0}.', run.name));
  }
}

async function askDeletable(services: CommandContext): Promise<RunView | undefined> {
  const runs = await services.views.withPast();
  return services.targets.ask(
    able(runs, 'deleteJournal'),
    vscode.l10n.t('Select a run to delete its journal'),
    vscode.l10n.t('No journals to delete.'),
  );
}

function confirmDelete({ name, startedAt }: RunView): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Delete the journal of {0}?', name),
    vscode.l10n.t(
      'The run started {0}. Its journal will be deleted permanently, not moved to the trash.',
      shownDate(startedAt),
    ),
    vscode.l10n.t('Delete Journal'),
  );
}

function noJournal(): HumanError {
  return new HumanError(t('This run has no journal. Check `agentLogs.journal.enabled`.'));
}
