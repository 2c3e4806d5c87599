import * as vscode from 'vscode';
import type { FileRuns } from '../../past/files/fileRuns';
import { isFileRun } from '../../past/files/fileRuns';
import type { RunView } from '../../runLog/runView';
import { unlinked } from './notify';

/** How long to wait before showing progress, in milliseconds. */
const defaultDelay = 1000;

/** Runs something, and if it takes long, shows a notification with its progress and a button to cancel. */
export async function withDelayedProgress<T>(
  title: string,
  work: (token: vscode.CancellationToken, report: (message: string) => void) => Promise<T>,
  delay = defaultDelay,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  let report: (message: string) => void = () => undefined;
  let last: string | undefined;
  const result = work(source.token, (message) => {
    last = message;
    report(message);
  });
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: unlinked(title), cancellable: true },
      (progress, token) => {
        token.onCancellationRequested(() => source.cancel());
        report = (message) => progress.report({ message: unlinked(message) });
        if (last !== undefined) report(last);
        return settled;
      },
    );
  }, delay);
  try {
    return await result;
  } finally {
    clearTimeout(timer);
    source.dispose();
  }
}

/**
 * Opens a past run and reads all of its records, with progress if it takes long.
 * @returns the open run; a run of this window as it is
 */
export async function readWithProgress(run: RunView, fileRuns: FileRuns): Promise<RunView> {
  if (!isFileRun(run)) return run;
  const open = await fileRuns.show(run);
  await withDelayedProgress(vscode.l10n.t('Reading a past run of {0}', run.name), async (token, report) => {
    const listener = open.onDidChangeState((state) => {
      if (state.type === 'reading') report(`${Math.floor((100 * state.read) / Math.max(1, state.size))} %`);
    });
    await open.read(token).finally(() => listener.dispose());
  });
  return open;
}
