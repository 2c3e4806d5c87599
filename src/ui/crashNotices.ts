import * as vscode from 'vscode';
import { lastWords } from '../runs/lastWords';
import type { Run } from '../runs/run';
import type { Runs } from '../runs/runs';
import { Disposables } from './disposables';
import { commandIds } from './ids';
import { tellError } from './notify';
import { PerRun } from './perRun';
import { runNode } from './tree/treeNode';

/** Tells the person once when a running agent ended and nobody asked it to. */
export class CrashNotices {
  private readonly disposables = new Disposables();

  constructor(runs: Runs) {
    this.disposables.add(new PerRun(runs, (run, disposables) => this.watch(run, disposables)));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private watch(run: Run, disposables: Disposables): void {
    let wasRunning = false;
    disposables.add(
      run.onDidChangeState((state) => {
        if (state.type === 'running') wasRunning = true;
        // One that never ran is told of by whoever started it.
        if (state.type !== 'ended' || !wasRunning) return;
        const { terminatedBy, reason, message = '' } = state.termination;
        if (terminatedBy !== 'client' && reason !== 'completed') void this.tell(run, message);
      }),
    );
  }

  private async tell(run: Run, how: string): Promise<void> {
    const restart = vscode.l10n.t('Restart');
    const output = vscode.l10n.t('Show Output');
    const words = lastWords(run.state.type === 'ended' ? run.state.termination.stderr : undefined);
    const message =
      words === undefined ? `${run.name} ${how}.` : vscode.l10n.t('{0} {1}. It said last: {2}', run.name, how, words);
    const picked = await tellError(message, restart, output);
    if (picked === restart) await vscode.commands.executeCommand(commandIds.restart, runNode(run));
    if (picked === output) await vscode.commands.executeCommand(commandIds.showOutput, runNode(run));
  }
}
