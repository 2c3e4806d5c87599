import { t } from '../../../text/translator';
import * as vscode from 'vscode';
import type { EnglishTermination } from '../../../wire/termination';
import { inEnglishTermination } from '../../../wire/termination';
import { actionsOf } from '../../../runs/actions';
import type { Run } from '../../../live/run';
import type { FileRun } from '../../../past/files/fileRun';
import { isOurs, isFileRun } from '../../../past/files/fileRuns';
import { HumanError } from '../../../text/humanError';
import { Cancelled } from '../../../time/waiting';
import { CommandTarget, runTarget } from '../../kit/commandTarget';
import { commandIds } from '../../manifest/commands';
import { readWithProgress, withDelayedProgress } from '../../kit/delayedProgress';
import { showBriefly, showInformation } from '../../kit/notify';
import { AgentRow } from '../tree/rows/agentRow';
import { RunRow } from '../tree/rows/runRow';
import type { CommandContext, CommandTable } from './commandContext';
import { able } from './targets';

/** The sample agent's first prompt. */
const samplePrompt = 'Hello';

/** Commands about agents and their runs. */
export const runCommands = {
  [commandIds.start]: (services, arg) => start(services, arg),
  [commandIds.startSampleAgent]: startSample,
  [commandIds.stop]: stop,
  [commandIds.restart]: restart,
  [commandIds.showOutput]: showOutput,
  [commandIds.showTermination]: showTermination,
  [commandIds.clear]: clear,
  [commandIds.removeRun]: remove,
  [commandIds.startFromTitle]: (services) => start(services, undefined),
  [commandIds.showOutputFromTitle]: (services) => showOutput(services, undefined),
} satisfies CommandTable;

/**
 * Starts an agent, and shows its run: the first one in the Log Explorer, too.
 * @returns the run's id
 */
export async function start(services: CommandContext, arg: unknown, opens = false): Promise<string | undefined> {
  const agent = await services.targets.agent(arg, vscode.l10n.t('Select an agent to start'));
  const name = agent?.name ?? (typeof arg === 'string' ? arg : undefined);
  if (name === undefined) return undefined;
  if (!opens && services.runs.latestOf(name)) return again(services, name, () => services.launcher.start(name));
  const explorers = await services.explorer.load();
  const run = await services.launcher.start(name).catch(async (error: unknown) => {
    const failed = services.runs.latestOf(name);
    if (failed && !(error instanceof Cancelled)) await explorers.openAtProblem({ run: failed, preserveFocus: true });
    throw error;
  });
  // The first run of an agent is worth looking at.
  await explorers.open({ run, end: true, preserveFocus: true });
  return reveal(services, run);
}

/** Starts an agent again. The explorer that shows its last run, which has ended, goes on with the new one. */
async function again(services: CommandContext, name: string, launch: () => Promise<Run>): Promise<string> {
  const { explorer } = services;
  const before = services.runs.latestOf(name);
  const isShown = (): boolean => before !== undefined && explorer.shownRun === before;
  const wasShown = isShown();
  const run = await launch();
  if (run !== before && wasShown && isShown()) {
    await (await explorer.load()).open({ run, end: true, preserveFocus: true });
  }
  return reveal(services, run);
}

async function reveal(services: CommandContext, run: Run): Promise<string> {
  await services.tree.reveal(run);
  return run.id;
}

/** Starts the sample agent, a session, and a first turn. */
async function startSample(services: CommandContext): Promise<string> {
  const run = await services.launcher.start(services.launcher.sample.name);
  await (await services.explorer.load()).open({ run, end: true, preserveFocus: true });
  const sessionId = await run.newSession();
  void run.prompt(sessionId, samplePrompt).catch(() => undefined); // The log has the error.
  await vscode.commands.executeCommand('agentLogs.sessions.focus');
  return run.id;
}

async function stop(services: CommandContext, arg: unknown): Promise<unknown> {
  const run = await services.targets.run(arg, vscode.l10n.t('Select an agent to stop'), 'stop');
  if (!run) return undefined;
  return withDelayedProgress(vscode.l10n.t('Stopping {0}', run.name), (token) => {
    // A stop can't be undone, so cancelling makes it faster instead.
    token.onCancellationRequested(() => void run.stop());
    return run.stop().finally(() => notifyPublished(run));
  });
}

function notifyPublished(run: Run): void {
  if (!run.isPublished) return;
  showBriefly(vscode.l10n.t('{0} is no longer followed. The extension that runs it may keep running it.', run.name));
}

async function restart(services: CommandContext, arg: unknown): Promise<string | undefined> {
  const named = services.targets.viewOf(arg);
  const run = named ?? (await services.targets.run(arg, vscode.l10n.t('Select an agent to restart'), 'restart'));
  return run && again(services, run.name, () => services.launcher.restart(run.name));
}

async function showOutput(services: CommandContext, arg: unknown): Promise<void> {
  const run = await services.targets.view(arg, vscode.l10n.t('Select an agent to show its output'), 'showOutput');
  if (!run) return;
  if (!isFileRun(run)) return services.channels.find(run.name)?.show();
  await services.documents.openOutput(await readWithProgress(run, services.fileRuns));
}

async function showTermination(services: CommandContext, arg: unknown): Promise<EnglishTermination | undefined> {
  const found = await services.targets.view(
    arg,
    vscode.l10n.t('Select a run to see how it ended'),
    'showTermination',
    vscode.l10n.t('No run has ended yet.'),
  );
  if (!found) return undefined;
  const run = await readWithProgress(found, services.fileRuns);
  await services.documents.openTermination(run);
  return run.state.type === 'ended' ? inEnglishTermination(run.state.termination) : undefined;
}

async function clear(services: CommandContext, arg: unknown): Promise<void> {
  const run = await services.targets.view(arg, vscode.l10n.t('Select a run to clear its records'), 'clear');
  run?.log.clear();
}

async function remove(services: CommandContext, arg: unknown): Promise<void> {
  const run = arg === undefined ? await askRemovable(services) : removable(services, arg);
  if (isFileRun(run) && !services.fileRuns.open.includes(run)) {
    if (isOurs(run)) return offerJournal(run);
    throw new HumanError(t("This session isn't open, and its file belongs to the agent that saved it."));
  }
  if (isFileRun(run)) services.fileRuns.close(run);
  else if (run) services.runs.remove(run);
}

function askRemovable(services: CommandContext): Promise<Run | FileRun | undefined> {
  return services.targets.ask<Run | FileRun>(
    able([...services.runs.all, ...services.fileRuns.open], 'removeRun'),
    vscode.l10n.t('Select a run to remove from the list (its journal is kept)'),
    vscode.l10n.t('No run has ended yet.'),
  );
}

function removable(services: CommandContext, arg: unknown): Run | FileRun {
  // The keyboard shortcut works on any row.
  const row = arg instanceof CommandTarget ? arg.row : undefined;
  const isRun = row instanceof RunRow || (row instanceof AgentRow && row.onlyRun !== undefined);
  const view = arg instanceof CommandTarget && !isRun ? undefined : services.targets.viewOf(arg);
  if (isFileRun(view)) return view;
  const run = view && services.targets.runOf(arg);
  if (!run || !actionsOf(run).has('removeRun')) throw new HumanError(t('Only runs that have ended can be removed.'));
  return run;
}

/** A past run that isn't open has nothing to remove but its journal. */
async function offerJournal(run: FileRun): Promise<void> {
  const remove = vscode.l10n.t('Delete Journal');
  const picked = await showInformation(
    vscode.l10n.t("This past run isn't open. Delete its journal to remove it."),
    remove,
  );
  if (picked === remove) await vscode.commands.executeCommand(commandIds.deleteJournal, runTarget(run));
}
