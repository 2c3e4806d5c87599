import { t, WordsError } from '../../text/translator';

/** Calls a function periodically until it is disposed. */
export type Every = (ms: number, call: () => void) => { dispose(): void };

/** In milliseconds. */
const tick = 1000;
/** A job without progress for this many ticks hangs. External drives may have to spin up first. */
const maxTicks = 10;

/** Doesn't keep the process alive. */
export const everyInterval: Every = (ms, call) => {
  const timer = setInterval(call, ms).unref();
  return { dispose: () => clearInterval(timer) };
};

/**
 * Runs one job after the other on a disk that may hang: calls to a network folder whose server is gone never return, and can't be cancelled.
 * The queue doesn't wait for a job that hangs, and starts no other meanwhile: each would block one of Node's few threads.
 */
export class DiskQueue {
  private last: Promise<void> = Promise.resolve();
  /** Ticks instead of elapsed time: after sleep or a blocked event loop, there is only one. */
  private ticks = 0;
  private hangs = false;

  /** @param onHang called when a job hangs */
  constructor(
    private readonly onHang: (error: Error) => void,
    private readonly every: Every = everyInterval,
  ) {}

  /** Whether the current job has made no progress for a second or more. */
  get isStalled(): boolean {
    return this.ticks > 0;
  }

  /** Whether the current job hangs and is no longer waited for. */
  get isHanging(): boolean {
    return this.hangs;
  }

  /**
   * Runs a job after those added before.
   * @param job must not throw
   * @returns resolves when the job is done, hangs, or is skipped because another one hangs
   */
  add(job: () => Promise<void>): Promise<void> {
    this.last = this.last.then(() => (this.hangs ? undefined : this.run(job)));
    return this.last;
  }

  /** The current job has made progress. */
  progress(): void {
    this.ticks = 0;
  }

  private run(job: () => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.every(tick, () => {
        if (++this.ticks < maxTicks) return;
        timer.dispose();
        this.hangs = true;
        this.onHang(new WordsError(t("the disk didn't respond for {0} s", (maxTicks * tick) / 1000)));
        resolve();
      });
      void job().finally(() => {
        timer.dispose();
        this.ticks = 0;
        this.hangs = false;
        resolve();
      });
    });
  }
}
