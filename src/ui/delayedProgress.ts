import * as vscode from 'vscode';
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
