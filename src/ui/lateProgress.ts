import * as vscode from 'vscode';
import { unlinked } from './notify';

/** What is done sooner than this needs no notification, in milliseconds. */
const lateAfter = 1000;

/** Runs something that may take long; when it does, a notification says so and offers to cancel. */
export async function withLateProgress<T>(
  title: string,
  work: (token: vscode.CancellationToken, report: (message: string) => void) => Promise<T>,
  after = lateAfter,
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
  }, after);
  try {
    return await result;
  } finally {
    clearTimeout(timer);
    source.dispose();
  }
}
