import { t } from '../../log/translator';
import * as vscode from 'vscode';
import type { EnglishTermination } from '../../log/termination';
import { inEnglishTermination } from '../../log/termination';
import { actionsOf } from '../../runs/actions';
import type { Run } from '../../runs/run';
import type { FileRun } from '../../runs/files/fileRun';
import { isOurs, isFileRun } from '../../runs/files/fileRuns';
import { HumanError } from '../../runs/humanError';
import { CommandTarget, runTarget } from '../commandTarget';
import { commandIds } from '../ids';
import { readWithProgress, withDelayedProgress } from '../delayedProgress';
import { showBriefly, showInformation } from '../notify';
import { RunRow } from '../tree/rows/runRow';
import type { CommandContext, CommandTable } from './commandContext';
import { able } from './targets';

/** The sample agent's first prompt. */
const samplePrompt = 'Hello';

/** Commands about agents and their runs. */
export class RunCommands {
  readonly table = {
    [commandIds.start]: (arg) => this.start(arg),
    [commandIds.startSampleAgent]: () => this.startSample(),
    [commandIds.stop]: (arg) => this.stop(arg),
    [commandIds.restart]: (arg) => this.restart(arg),
    [commandIds.showOutput]: (arg) => this.showOutput(arg),
    [commandIds.showTermination]: (arg) => this.showTermination(arg),
    [commandIds.clear]: (arg) => this.clear(arg),
    [commandIds.removeRun]: (arg) => this.remove(arg),
    [commandIds.startFromTitle]: () => this.start(undefined),
    [commandIds.showOutputFromTitle]: () => this.showOutput(undefined),
  } satisfies CommandTable;

  constructor(private readonly services: CommandContext) {}

  private async start(arg: unknown): Promise<string | undefined> {
    const agent = await this.services.targets.agent(arg, vscode.l10n.t('Select an agent to start'));
    const name = agent?.name ?? (typeof arg === 'string' ? arg : undefined);
    if (name === undefined) return undefined;
    return this.reveal(await this.services.launcher.start(name));
  }

  private async reveal(run: Run): Promise<string> {
    await this.services.tree.reveal(run);
    return run.id;
  }

  /** Starts the sample agent, a session, and a first turn. */
  private async startSample(): Promise<string> {
    const run = await this.services.launcher.start(this.services.launcher.sample.name);
    const sessionId = await run.newSession();
    void run.prompt(sessionId, samplePrompt).catch(() => undefined); // The log has the error.
    await vscode.commands.executeCommand('agentLogs.sessions.focus');
    return run.id;
  }

  private async stop(arg: unknown): Promise<unknown> {
    const run = await this.services.targets.run(arg, vscode.l10n.t('Select an agent to stop'), 'stop');
    if (!run) return undefined;
    return withDelayedProgress(vscode.l10n.t('Stopping {0}', run.name), (token) => {
      // A stop can't be undone, so cancelling makes it faster instead.
      token.onCancellationRequested(() => void run.stop());
      return run.stop().finally(() => this.notifyPublished(run));
    });
  }

  private notifyPublished(run: Run): void {
    if (!run.isPublished) return;
    showBriefly(vscode.l10n.t('{0} is no longer followed. The extension that runs it may keep running it.', run.name));
  }

  private async restart(arg: unknown): Promise<string | undefined> {
    const named = this.services.targets.viewOf(arg);
    const run = named ?? (await this.services.targets.run(arg, vscode.l10n.t('Select an agent to restart'), 'restart'));
    return run && this.reveal(await this.services.launcher.restart(run.name));
  }

  private async showOutput(arg: unknown): Promise<void> {
    const run = await this.services.targets.view(
      arg,
      vscode.l10n.t('Select an agent to show its output'),
      'showOutput',
    );
    if (!run) return;
    if (!isFileRun(run)) return this.services.channels.find(run.name)?.show();
    await this.services.documents.openOutput(await readWithProgress(run, this.services.fileRuns));
  }

  private async showTermination(arg: unknown): Promise<EnglishTermination | undefined> {
    const found = await this.services.targets.view(
      arg,
      vscode.l10n.t('Select a run to see how it ended'),
      'showTermination',
      vscode.l10n.t('No run has ended yet.'),
    );
    if (!found) return undefined;
    const run = await readWithProgress(found, this.services.fileRuns);
    await this.services.documents.openTermination(run);
    return run.state.type === 'ended' ? inEnglishTermination(run.state.termination) : undefined;
  }

  private async clear(arg: unknown): Promise<void> {
    const run = await this.services.targets.view(arg, vscode.l10n.t('Select a run to clear its records'), 'clear');
    run?.log.clear();
  }

  private async remove(arg: unknown): Promise<void> {
    const run = arg === undefined ? await this.askRemovable() : this.removable(arg);
    if (isFileRun(run) && !this.services.fileRuns.open.includes(run)) {
      if (isOurs(run)) return offerJournal(run);
      throw new HumanError(t("This session isn't open, and its file belongs to the agent that saved it."));
    }
    if (isFileRun(run)) this.services.fileRuns.close(run);
    else if (run) this.services.runs.remove(run);
  }

  private askRemovable(): Promise<Run | FileRun | undefined> {
    return this.services.targets.ask<Run | FileRun>(
      able([...this.services.runs.all, ...this.services.fileRuns.open], 'removeRun'),
      vscode.l10n.t('Select a run to remove from the list (its journal is kept)'),
      vscode.l10n.t('No run has ended yet.'),
    );
  }

  private removable(arg: unknown): Run | FileRun {
    // The keyboard shortcut works on any row.
    const view =
      arg instanceof CommandTarget && !(arg instanceof RunRow) ? undefined : this.services.targets.viewOf(arg);
    if (isFileRun(view)) return view;
    const run = view && this.services.targets.runOf(arg);
    if (!run || !actionsOf(run).has('removeRun')) throw new HumanError(t('Only runs that have ended can be removed.'));
    return run;
  }
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
