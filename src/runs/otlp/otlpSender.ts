import type { LogRecord } from '../../log/record';
import { OtlpQueue } from './otlpQueue';
import type { OtlpRecord, OtlpResource } from './otlpRecord';
import { otlpRecord, otlpSize } from './otlpRecord';
import { traceOf } from './traceContext';
import type { OtlpSendResult, OtlpTransport } from './otlpTransport';

/** Where records come from: a run. */
export interface OtlpSource {
  readonly resource: OtlpResource;
  /** The line of the wire that a record was read from, while it is in memory. */
  raw(seq: number): string | undefined;
}

/** What the person is told of. */
export type OtlpReport =
  /** The first batch is there. */
  | { readonly type: 'reached' }
  /** Told once, until it is reached again. */
  | { readonly type: 'unreachable' | 'refused'; readonly reason: string }
  /** It takes records again; `notSent` of them were lost since it took the last. */
  | { readonly type: 'recovered'; readonly notSent: number }
  /** So many were lost since the last time that it was told. */
  | { readonly type: 'not-sent'; readonly notSent: number };

export interface OtlpSenderOptions {
  readonly transport: OtlpTransport;
  readonly report: (report: OtlpReport) => void;
  /** Calls back once after so many milliseconds; answers how to call that off. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

interface Waiting {
  readonly source: OtlpSource;
  readonly record: LogRecord;
}

const maxWaiting = 16_384;
const maxWaitingBytes = 16 * 1024 * 1024;
const maxBatch = 512;
const maxBatchBytes = 1024 * 1024;
/** How long the first record waits for company, in milliseconds. */
const batchDelay = 1000;
/** Between full batches: a flood may not take more than a small part of the extension's time. */
const floodDelay = 100;
const firstBackoff = 5000;
const maxBackoff = 60_000;
/** How often losses are told. */
const lossInterval = 60_000;

/**
 * Sends records to a collector in batches, one at a time. What waits is bounded: while the collector is away, or cannot keep up, the oldest
 * go and are counted. Nothing else depends on it, and it throws nothing.
 */
export class OtlpSender {
  private readonly queue = new OtlpQueue<Waiting>(maxWaiting, maxWaitingBytes);
  /** A batch that was not taken, and is tried again. */
  private held: readonly OtlpRecord[] = [];
  private sending: Promise<void> | undefined;
  private callOff: (() => void) | undefined;
  private callOffLosses: (() => void) | undefined;
  private backoff = firstBackoff;
  private wasReached = false;
  private failing: OtlpSendResult['type'] | undefined;
  private lostSinceSuccess = 0;
  private lostSinceTold = 0;
  private sentCount = 0;
  private notSentCount = 0;
  private disposed = false;

  constructor(private readonly options: OtlpSenderOptions) {}

  /** Records that the collector has. */
  get sent(): number {
    return this.sentCount;
  }

  /** Records that it will not get. */
  get notSent(): number {
    return this.notSentCount;
  }

  get waiting(): number {
    return this.queue.length + this.held.length;
  }

  add(source: OtlpSource, records: readonly LogRecord[]): void {
    if (this.disposed) return;
    let dropped = 0;
    for (const record of records) dropped += this.queue.push({ source, record }, otlpSize(record));
    if (dropped > 0) this.lose(dropped);
    if (!this.sending && !this.callOff) this.schedule(batchDelay);
  }

  /** Sends what waits without delay, until it is sent or the collector does not take it. */
  async flush(): Promise<void> {
    await this.sending;
    while (!this.disposed && this.waiting > 0) {
      this.unschedule();
      const before = this.sentCount;
      await this.send();
      if (this.sentCount === before) return;
    }
  }

  /** Sends what waits without delay, for so many milliseconds at most. */
  async end(ms: number): Promise<void> {
    let callOff = (): void => undefined;
    const late = new Promise<void>((resolve) => (callOff = this.options.after(ms, resolve)));
    await Promise.race([this.flush(), late]);
    callOff();
    this.dispose();
  }

  /** What still waits is not sent, which is told. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.unschedule();
    this.callOffLosses?.();
    this.giveUp(this.queue.length + (this.sending ? 0 : this.held.length));
  }

  private schedule(ms: number): void {
    if (this.disposed || this.callOff) return;
    this.callOff = this.options.after(ms, () => {
      this.callOff = undefined;
      void this.send();
    });
  }

  private unschedule(): void {
    this.callOff?.();
    this.callOff = undefined;
  }

  private send(): Promise<void> {
    this.sending ??= this.sendBatch().finally(() => {
      this.sending = undefined;
      if (this.waiting === 0 || this.disposed) return;
      this.schedule(this.failing ? this.nextBackoff() : this.queue.length < maxBatch ? batchDelay : floodDelay);
    });
    return this.sending;
  }

  private async sendBatch(): Promise<void> {
    if (this.held.length === 0) {
      this.held = this.queue
        .take(maxBatch, maxBatchBytes)
        .map(({ source, record }) => otlpRecord(source.resource, record, traceOf(source.raw(record.seq))));
    }
    const result = await this.options.transport.send(this.held);
    if (this.disposed) {
      if (result.type !== 'sent') this.giveUp(this.held.length);
    } else if (result.type === 'sent') this.succeed(result.rejected ?? 0);
    else this.fail(result);
  }

  /** Nobody will count any more what is lost. */
  private giveUp(count: number): void {
    this.notSentCount += count;
    const notSent = this.lostSinceTold + count;
    this.lostSinceTold = 0;
    if (notSent > 0) this.options.report({ type: 'not-sent', notSent });
  }

  private succeed(rejected: number): void {
    this.sentCount += this.held.length - rejected;
    this.held = [];
    this.backoff = firstBackoff;
    if (this.failing) {
      this.options.report({ type: 'recovered', notSent: this.lostSinceSuccess });
      this.lostSinceTold = 0;
    } else if (!this.wasReached) this.options.report({ type: 'reached' });
    this.wasReached = true;
    this.failing = undefined;
    this.lostSinceSuccess = 0;
    if (rejected > 0) this.lose(rejected);
  }

  private fail({ type, reason }: Exclude<OtlpSendResult, { type: 'sent' }>): void {
    if (this.failing !== type) this.options.report({ type, reason });
    this.failing = type;
    if (type !== 'refused') return;
    const refused = this.held.length;
    this.held = [];
    this.lose(refused);
  }

  private nextBackoff(): number {
    const { backoff } = this;
    this.backoff = Math.min(maxBackoff, backoff * 2);
    return backoff;
  }

  private lose(count: number): void {
    this.notSentCount += count;
    this.lostSinceSuccess += count;
    this.lostSinceTold += count;
    this.callOffLosses ??= this.options.after(lossInterval, () => {
      this.callOffLosses = undefined;
      if (this.lostSinceTold > 0) this.options.report({ type: 'not-sent', notSent: this.lostSinceTold });
      this.lostSinceTold = 0;
    });
  }
}
