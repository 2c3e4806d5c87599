import * as vscode from 'vscode';
import type { EndCause, Termination } from '../log/termination';
import { isCrash } from '../log/termination';
import { duration } from '../log/text';
import { RestartPolicy } from '../runs/config/restartPolicy';
import type { Run } from '../runs/run';
import type { Runs } from '../runs/runs';
import type { Launcher } from './agents/launcher';
import { runTarget } from './commandTarget';
import type { Configuration } from './configuration';
import { Disposables } from './disposables';
import { commandIds } from './ids';
import { tellError, tellInformation } from './notify';
import { PerRun } from './perRun';
import type { Problems } from './problems';
import { outputOf } from './wayToLog';

/** Tells the person once when a running agent ended and nobody asked it to, and starts it again where the settings say so. */
export class CrashNotices {
  private readonly disposables = new Disposables();
  private readonly policy = new RestartPolicy(Date.now);
  /** For those that are about to be started again. */
  private readonly waiting = new Set<NodeJS.Timeout>();
  /** Those that are being started again. */
  private readonly restarting = new Set<string>();

  constructor(
    private readonly runs: Runs,
    private readonly launcher: Launcher,
    private readonly configuration: Configuration,
    private readonly problems: Problems,
  ) {
    this.disposables.add(new PerRun(runs, (run, disposables) => this.watch(run, disposables)));
  }

  dispose(): void {
    for (const timer of this.waiting) clearTimeout(timer);
    this.disposables.dispose();
  }

  private watch(run: Run, disposables: Disposables): void {
    // Whoever starts it themselves gives it its budget back.
    if (!this.restarting.has(run.name) && !run.isPublished) this.policy.forgive(run.name);
    let wasRunning = false;
    disposables.add(
      run.onDidChangeState((state) => {
        if (state.type === 'running') wasRunning = true;
        // One that never ran is told of by whoever started it.
        if (state.type !== 'ended' || !wasRunning) return;
        if (isCrash(state.termination)) this.handle(run, state.termination);
        else if (isLeave(run, state.termination)) void this.tellOfLeave(run);
      }),
    );
  }

  private handle(run: Run, termination: Termination): void {
    const what = describeCrash(run, termination);
    // Who runs it for us would have to start it.
    if (run.isPublished) return void this.tell(run, what, false);
    if (!this.configuration.restartsOnCrash) return void this.tell(run, what);
    const decision = this.policy.decide(run.name, run.protocol);
    if (decision.type === 'one-shot') return void this.tell(run, what);
    if (decision.type === 'give-up') {
      const { crashes, within } = decision;
      const often = vscode.l10n.t('That was crash {0} within {1}: it is not started again.', crashes, duration(within));
      return void this.tell(run, `${what} ${often}`);
    }
    const timer = setTimeout(() => {
      this.waiting.delete(timer);
      // Meanwhile somebody may have started it, or want it no more.
      if (!this.configuration.restartsOnCrash || this.runs.latestOf(run.name) !== run) return;
      void this.startAgain(run);
    }, decision.after);
    this.waiting.add(timer);
    void this.tell(run, `${what} ${vscode.l10n.t('It is started again in {0}.', duration(decision.after))}`, false);
  }

  /** An error or not: whoever was about to use it waits for nothing. */
  private async tellOfLeave(run: Run): Promise<void> {
    const restart = vscode.l10n.t('Restart');
    const output = vscode.l10n.t('Show Output');
    const message = vscode.l10n.t('{0} ended by itself, without an error.', run.name);
    const picked = await tellInformation(message, restart, output);
    if (picked === restart) await vscode.commands.executeCommand(commandIds.restart, runTarget(run));
    if (picked === output) await vscode.commands.executeCommand(commandIds.showOutput, runTarget(run));
  }

  private async startAgain(run: Run): Promise<void> {
    this.restarting.add(run.name);
    try {
      await this.launcher.start(run.name, { again: true, isUnattended: true });
    } catch (error) {
      void this.problems.tell(error, run);
    } finally {
      this.restarting.delete(run.name);
    }
  }

  private async tell(run: Run, message: string, offersRestart = true): Promise<void> {
    const restart = vscode.l10n.t('Restart');
    const picked = await tellError(message, outputOf(run), ...(offersRestart ? [restart] : []));
    if (picked !== restart) return;
    await vscode.commands.executeCommand(commandIds.restart, runTarget(run));
  }
}

/** Whether one that is there to be asked ended instead. A command line ends when it is done. */
function isLeave({ protocol, isPublished }: Run, { terminatedBy, reason }: Termination): boolean {
  return terminatedBy !== 'client' && reason === 'completed' && protocol !== 'stream-json' && !isPublished;
}

function describeCrash(run: Run, { message = '', cause = {} }: Termination): string {
  const { advice } = cause;
  const how = describeCause(run.name, message, cause);
  return advice === undefined ? how : `${how} ${advice}`;
}

function describeCause(name: string, message: string, { what, by }: EndCause): string {
  if (what === undefined) return `${name} ${message}.`;
  if (by === undefined) return `${name} ${message}: ${what}.`;
  return by === 'stderr'
    ? vscode.l10n.t('{0} {1}. It said last: "{2}".', name, message, what)
    : vscode.l10n.t('{0} {1}. It printed: "{2}".', name, message, what);
}
