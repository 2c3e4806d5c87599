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

/** What the agent needs of the process it runs in, apart from the connection. */
export interface Host {
  readonly clock: Clock;
  newId(): string;
  /** Settles when the text is written, so that it is not lost when the process exits. */
  writeError(text: string): Promise<void>;
  /** Ends the process when everything sent to the client is written. */
  exit(code: number): Promise<never>;
}

/** Often enough to see that the connection lives, seldom enough not to be in the way. */
const periodMs = 10_000;

/** Calls `beat` with its number and the seconds since the start, until the signal is aborted. */
export function startHeartbeat(
  clock: Clock,
  beat: (count: number, uptimeSeconds: number) => void,
  signal: AbortSignal,
): void {
  const startedAt = clock.now().getTime();
  let count = 0;
  clock.every(periodMs, () => beat(++count, Math.round((clock.now().getTime() - startedAt) / 1000)), signal);
}
