import { setImmediate, setTimeout } from 'node:timers/promises';

/** Timers. */
export interface Clock {
  now(): Date;
  /** Rejects with an AbortError if the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Yields to pending work: the answer to the current request, and new input. */
  yield(): Promise<void>;
  /** Runs the task periodically until the signal is aborted. Doesn't keep the process alive. */
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

/** The process that the agent runs in, apart from its connection. */
export interface Host {
  readonly clock: Clock;
  newId(): string;
  /** Resolves once the text is written, so that exiting doesn't lose it. */
  writeError(text: string): Promise<void>;
  /** Exits once everything sent to the client is written. */
  exit(code: number): Promise<never>;
}

/** Frequent enough to show that the connection is alive without flooding the log. */
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
