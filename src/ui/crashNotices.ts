import * as vscode from 'vscode';
import { oneLine } from '../log/text';
import type { Run } from '../runs/run';
import type { Runs } from '../runs/runs';
import { Disposables } from './disposables';
import { commandIds } from './ids';

/** Tells the person once when a running agent ended and nobody asked it to. */
export class CrashNotices {
  private readonly disposables = new Disposables();

  constructor(runs: Runs) {
    this.disposables.add(runs.onDidAdd((run) => this.watch(run)));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private watch(run: Run): void {
    let wasRunning = false;
    this.disposables.add(
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
    const [last] = run.log.store.query({ kinds: ['stderr'], limit: 1 });
    const words = last ? vscode.l10n.t(' It said last: {0}', oneLine(last.message, 200)) : '';
    const picked = await vscode.window.showErrorMessage(`${run.name} ${how}.${words}`, restart, output);
    if (picked === restart) await vscode.commands.executeCommand(commandIds.restart, run.id);
    if (picked === output) await vscode.commands.executeCommand(commandIds.showOutput, run.id);
  }
}
