import * as vscode from 'vscode';
import type { Termination } from '../../wire/termination';
import { advisedEnd, isCrash, severityOfEnd, shortEnd } from '../../wire/termination';
import { RestartPolicy } from '../../live/config/restartPolicy';
import type { Run } from '../../live/run';
import type { Runs } from '../../runs/runs';
import type { Launcher } from '../services/agents/launcher';
import { runTarget } from '../kit/commandTarget';
import type { Configuration } from '../services/configuration';
import type { Disposable } from '../kit/disposables';
import { DisposableOwner, PerRun } from '../kit/disposables';
import { commandIds } from '../manifest/commands';
import { outputLink, showError, showInformation } from '../kit/notify';
import { l10n, translate } from '../kit/translate';
import type { ErrorReporter } from '../services/errorReporter';
import { showWhy, whyLabel } from '../kit/whyButton';

/** Notifies the user when a running agent ended without being stopped, and restarts it if the settings say so. */
export class CrashNotices extends DisposableOwner {
  private readonly policy = new RestartPolicy(Date.now);
  /** Timers of restarts to come. */
  private readonly waiting = new Set<NodeJS.Timeout>();
  /** Names of the agents that are being restarted. */
  private readonly restarting = new Set<string>();

  constructor(
    private readonly runs: Runs,
    private readonly launcher: Launcher,
    private readonly configuration: Configuration,
    private readonly errors: ErrorReporter,
  ) {
    super();
    this.own(new PerRun(runs, (run) => [this.watch(run)]));
  }

  override dispose(): void {
    for (const timer of this.waiting) clearTimeout(timer);
    super.dispose();
  }

  private watch(run: Run): Disposable {
    // A start by the user resets the agent's restart budget.
    if (!this.restarting.has(run.name) && !run.isPublished) this.policy.forgive(run.name);
    let wasRunning = false;
    return run.onDidChangeState((state) => {
      if (state.type === 'running') wasRunning = true;
      // If it never ran, the command that started it shows the error.
      if (state.type !== 'ended' || !wasRunning) return;
      if (isCrash(state.termination)) this.onCrash(run, state.termination);
      else if (isUnexpectedExit(run, state.termination)) void this.notifyExit(run);
    });
  }

  private onCrash(run: Run, termination: Termination): void {
    const what = describeCrash(run, termination);
    // Only the extension that runs it can restart it.
    if (run.isPublished) return void this.notify(run, what, false);
    if (!this.configuration.restartsOnCrash) return void this.notify(run, what);
    const decision = this.policy.decide(run.name, run.protocol);
    if (decision.type === 'one-shot') return void this.notify(run, what);
    if (decision.type === 'give-up') {
      const { crashes, within } = decision;
      const often = l10n.t('Crashed {0} times within {1}. Not restarting.', crashes, { ms: within });
      return void this.notify(run, `${what} ${often}`);
    }
    const timer = setTimeout(() => {
      this.waiting.delete(timer);
      // It may have been started, or the setting changed, in the meantime.
      if (!this.configuration.restartsOnCrash || this.runs.latestOf(run.name) !== run) return;
      void this.restart(run);
    }, decision.after);
    this.waiting.add(timer);
    void this.notify(run, `${what} ${l10n.t('Restarting in {0}.', { ms: decision.after })}`, false);
  }

  /** Not an error, but anyone about to use the agent should know. */
  private async notifyExit(run: Run): Promise<void> {
    const restart = vscode.l10n.t('Restart');
    const output = vscode.l10n.t('Show Output');
    const message = vscode.l10n.t('{0} exited without an error.', run.name);
    const picked = await showInformation(message, restart, output);
    if (picked === restart) await this.restartEnded(run);
    if (picked === output) await vscode.commands.executeCommand(commandIds.showOutput, runTarget(run));
  }

  /** A notification stays: if the agent was started again meanwhile, that run is shown, not stopped. */
  private async restartEnded(run: Run): Promise<void> {
    const latest = this.runs.latestOf(run.name) ?? run;
    const command = latest.state.type === 'ended' ? commandIds.restart : commandIds.openExplorer;
    await vscode.commands.executeCommand(command, runTarget(latest));
  }

  private async restart(run: Run): Promise<void> {
    this.restarting.add(run.name);
    try {
      await this.launcher.start(run.name, { again: true, isUnattended: true });
    } catch (error) {
      void this.errors.report(error, run);
    } finally {
      this.restarting.delete(run.name);
    }
  }

  private async notify(run: Run, message: string, offersRestart = true): Promise<void> {
    const [why, restart] = [whyLabel(), vscode.l10n.t('Restart')];
    const picked = await showError(message, outputLink(run), why, ...(offersRestart ? [restart] : []));
    try {
      if (picked === why) await showWhy(run);
      if (picked === restart) await this.restartEnded(run);
    } catch (error) {
      void this.errors.report(error, run); // The run was removed.
    }
  }
}

/** Whether an agent exited that was expected to keep running. A command-line agent exits when it is done. */
function isUnexpectedExit({ protocol, isPublished }: Run, termination: Termination): boolean {
  return severityOfEnd(termination) === 'exited' && protocol !== 'stream-json' && !isPublished;
}

function describeCrash(run: Run, termination: Termination): string {
  return `${run.name} ${translate(advisedEnd(termination.message ?? shortEnd(termination), termination.cause))}`;
}
