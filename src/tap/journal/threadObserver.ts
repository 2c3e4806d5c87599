import type { Worker } from 'node:worker_threads';
import type { ProcessEvent } from '../../wire/wireEvent';
import type { RelayObserver } from '../relay/relayedAgent';
import type { FromThread, StreamName, ToThread } from './threadMessage';

/** How long messages wait to be sent together, in milliseconds, and how many bytes of them. */
const batchMs = 10;
const maxBatch = 256 * 1024;

/** The part of a worker that is used. */
export interface JournalThread extends Pick<Worker, 'postMessage' | 'terminate' | 'unref'> {
  on(event: 'message', listener: (message: FromThread) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
}

export interface ThreadObserverOptions {
  readonly now: () => number;
  /** More bytes than this do not wait for the thread: the next ones are left out, and counted. */
  readonly maxWaiting: number;
  /** How long the end of a run waits for the journal, in milliseconds. */
  readonly closeGrace: number;
  /** And then for its thread, likewise. */
  readonly endGrace: number;
  /** Called when the journal is less than the person wants. */
  readonly onWarning: (message: string) => void;
  /** Called once, when there is no journal from here on. */
  readonly onProblem: (message: string) => void;
  /** Called instead, where the end of the run has waited for the journal, and it was not finished in time. */
  readonly onUnfinished: () => void;
}

/** Copies what crosses to the thread that keeps the journal, and never waits for it: the relay goes on even if the journal fails. */
export class ThreadObserver implements RelayObserver {
  private waiting = 0;
  private batch: ToThread[] = [];
  private batchBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly skipped = new Map<StreamName, number>();
  private isOff = false;
  private closed: (() => void) | undefined;

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
    // Once bytes are left out, a good part is: few gaps are better than many.
    const room = this.skipped.size === 0 ? this.options.maxWaiting : this.options.maxWaiting / 2;
    if (this.waiting + chunk.length > room) {
      this.skipped.set(dir, (this.skipped.get(dir) ?? 0) + chunk.length);
      return;
    }
    this.tellSkipped();
    this.waiting += chunk.length;
    this.batchBytes += chunk.length;
    // A copy, which can change hands: the relay's may still wait to be written.
    this.post({ type: 'chunk', dir, t: this.options.now(), bytes: new Uint8Array(chunk) });
    if (this.batchBytes >= maxBatch) this.send();
  }

  event(event: ProcessEvent): void {
    if (this.isOff) return;
    this.tellSkipped();
    this.post({ type: 'event', t: this.options.now(), event });
  }

  /**
   * Settles when all is written, or it takes too long.
   * @returns whether the thread has ended: one that the system keeps waiting for its file keeps the process from ending, too
   */
  async close(): Promise<boolean> {
    if (!this.isOff) {
      this.tellSkipped();
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
      setTimeout(() => resolve(false), this.options.endGrace);
    });
  }

  private accept(message: FromThread): void {
    if (message.type === 'taken') this.waiting -= message.bytes;
    else if (message.type === 'closed') this.closed?.();
    else if (message.type === 'warning') this.options.onWarning(message.message);
    else this.fail(message.message);
  }

  private tellSkipped(): void {
    for (const [dir, bytes] of this.skipped) this.post({ type: 'skipped', dir, t: this.options.now(), bytes });
    this.skipped.clear();
  }

  private post(message: ToThread): void {
    this.batch.push(message);
    this.timer ??= setTimeout(() => this.send(), batchMs);
  }

  /** Waking the thread costs more than the messages: several go at once. */
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

  private leave(tell: () => void): void {
    this.closed?.();
    if (this.isOff) return;
    this.isOff = true;
    tell();
    void this.thread.terminate();
  }
}
