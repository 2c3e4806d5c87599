import type { RecordResult } from './recordResult';

/** Settles when a result is complete; never if it is disposed first. */
export function whenDone(result: RecordResult): Promise<void> {
  return new Promise((resolve) => {
    if (result.state.isDone) return resolve();
    const subscription = result.onDidChange(({ isDone }) => {
      if (!isDone) return;
      subscription.dispose();
      resolve();
    });
  });
}
