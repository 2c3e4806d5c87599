import { setImmediate, setTimeout } from 'node:timers/promises';

/** Time, as the agent needs it. */
export interface Clock {
  now(): Date;
  /** Rejects with an AbortError when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Lets what is waiting go first: the answer to the request being handled, input that has come meanwhile. */
  yield(): Promise<void>;
  /** Runs the task again and again until the signal is aborted; does not keep the process alive. */
  every(ms: number, task: () => void, signal: AbortSignal): void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
  yield: () => setImmediate(),
  every(ms, task, signal) {
    const timer = setInterval(task, ms).unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  },
};
