import type { CancellationToken } from 'vscode-jsonrpc/node';

/** Cancelled by the user; don't report it. */
export class Cancelled extends Error {
  constructor() {
    super('Cancelled');
    this.name = 'Cancelled';
  }
}

/** The user closed a picker that a command needs an answer from. The command has nothing to return, and didn't fail. */
export class Dismissed extends Cancelled {}

/** The wait was longer than allowed. */
export class TimedOut extends Error {
  constructor(readonly ms: number) {
    super(`no answer in ${ms} ms`);
    this.name = 'TimedOut';
  }
}

/**
 * Waits for a result or cancellation.
 * @throws Cancelled, or what the work throws
 */
export function unlessCancelled<T>(work: Promise<T>, token: CancellationToken): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancelled = token.onCancellationRequested(() => reject(new Cancelled()));
    void work.then(resolve, reject).finally(() => cancelled.dispose());
  });
}

/**
 * Waits for a result for at most `ms` milliseconds.
 * @throws TimedOut, or what the work throws
 */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimedOut(ms)), ms);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export interface WaitOptions {
  readonly token: CancellationToken;
  /** In milliseconds. */
  readonly timeout: number;
  /** Interval between calls of `onWaiting`, in milliseconds. */
  readonly every: number;
  /** Called while waiting, with the elapsed milliseconds. */
  readonly onWaiting: (ms: number) => void;
}

/**
 * Waits for a result, a cancellation or the timeout, whichever comes first, and reports that it is waiting.
 * @throws Cancelled, TimedOut, or what the work throws
 */
export function waitFor<T>(work: Promise<T>, { token, timeout, every, onWaiting }: WaitOptions): Promise<T> {
  let waited = 0;
  const notices = setInterval(() => onWaiting((waited += every)), every);
  return unlessCancelled(within(timeout, work), token).finally(() => clearInterval(notices));
}
