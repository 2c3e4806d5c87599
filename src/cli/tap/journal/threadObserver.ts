import type { Worker } from 'node:worker_threads';
import type { ProcessEvent } from '../../../wire/wireEvent';
import type { RelayObserver } from '../relay/relayedAgent';
import type { FromThread, StreamName, ToThread } from './threadMessage';

/** How long messages wait to be sent together, in milliseconds, and the maximum size of a batch, in bytes. */
const batchMs = 10;
const maxBatch = 256 * 1024;

/** The methods of a worker that are used. */
export interface JournalThread extends Pick<Worker, 'postMessage' | 'terminate' | 'unref'> {
  on(event: 'message', listener: (message: FromThread) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
}

export interface ThreadObserverOptions {
  readonly now: () => number;
  /** If more bytes than this wait for the thread, the next ones are skipped and counted. */
  readonly maxWaiting: number;
  /** How long to wait for the journal at the end of a run, in milliseconds. */
  readonly closeGrace: number;
  /** How long to wait for the thread to end after that, in milliseconds. */
  readonly endGrace: number;
  /** Called once, with the journal's path. */
  readonly onOpened?: (path: string) => void;
  /** Called if less is redacted than the user wants. */
  readonly onWarning: (message: string) => void;
  /** Called once, when the journal can't be continued. */
  readonly onProblem: (message: string) => void;
  /** Called instead if the journal wasn't finished in time at the end of a run. */
  readonly onUnfinished: () => void;
}

/** Sends copies of the relayed bytes to the thread that writes the journal, without waiting for it. The relay continues even if the journal fails. */
export class ThreadObserver implements RelayObserver {
  private waiting = 0;
  private batch: ToThread[] = [];
  private batchBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly skipped = new Map<StreamName, number>();
  private isOff = false;
  private closed: (() => void) | undefined;
  private hasClosed = false;

  constructor(
    private readonly thread: JournalThread,
    private readonly options: ThreadObserverOptions,
  ) {
    thread.on('message', (message: FromThread) => this.accept(message));
    thread.on('error', (error) => this.fail(error instanceof Error ? error.message : String(error)));
    thread.on('exit', () => this.fail('its thread ended'));
    thread.unref();
  }

  chunk(dir: StreamName, chunk: Buffer): void {
    if (this.isOff) return;
    // One large gap is better than many small ones.
    const room = this.skipped.size === 0 ? this.options.maxWaiting : this.options.maxWaiting / 2;
    if (this.waiting + chunk.length > room) {
      this.skipped.set(dir, (this.skipped.get(dir) ?? 0) + chunk.length);
      return;
    }
    this.postSkipped();
    this.waiting += chunk.length;
    this.batchBytes += chunk.length;
    // A copy that can be transferred: the relay's buffer may not have been written yet.
    this.post({ type: 'chunk', dir, t: this.options.now(), bytes: new Uint8Array(chunk) });
    if (this.batchBytes >= maxBatch) this.send();
  }

  event(event: ProcessEvent): void {
    if (this.isOff) return;
    this.postSkipped();
    this.post({ type: 'event', t: this.options.now(), event });
  }

  /**
   * Resolves when everything is written, or on timeout.
   * @returns whether the thread has ended: while it hangs in a system call, the process can't exit normally
   */
  async close(): Promise<boolean> {
    if (!this.isOff) {
      this.postSkipped();
      await new Promise<void>((resolve) => {
        this.closed = resolve;
        this.post({ type: 'close' });
        this.send();
        setTimeout(() => this.leave(this.options.onUnfinished), this.options.closeGrace);
      });
    }
    this.isOff = true;
    return new Promise((resolve) => {
      void this.thread.terminate().then(() => resolve(true));
      // One that has closed its journal hangs nowhere: it only waits for its turn, which takes long on a busy machine.
      if (!this.hasClosed) setTimeout(() => resolve(false), this.options.endGrace);
    });
  }

  private accept(message: FromThread): void {
    if (message.type === 'taken') this.waiting -= message.bytes;
    else if (message.type === 'closed') {
      this.hasClosed = true;
      this.closed?.();
    } else if (message.type === 'opened') this.options.onOpened?.(message.path);
    else if (message.type === 'warning') this.options.onWarning(message.message);
    else this.fail(message.message);
  }

  private postSkipped(): void {
    for (const [dir, bytes] of this.skipped) this.post({ type: 'skipped', dir, t: this.options.now(), bytes });
    this.skipped.clear();
  }

  private post(message: ToThread): void {
    this.batch.push(message);
    this.timer ??= setTimeout(() => this.send(), batchMs);
  }

  /** Sends the batch. Waking the thread costs more than the messages. */
  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { batch } = this;
    this.batch = [];
    this.batchBytes = 0;
    if (batch.length === 0 || this.isOff) return;
    this.thread.postMessage(
      batch,
      batch.flatMap((message) => (message.type === 'chunk' ? message.bytes.buffer : [])),
    );
  }

  private fail(message: string): void {
    this.leave(() => this.options.onProblem(message));
  }

  private leave(report: () => void): void {
    this.closed?.();
    if (this.isOff) return;
    this.isOff = true;
    report();
    void this.thread.terminate();
  }
}
