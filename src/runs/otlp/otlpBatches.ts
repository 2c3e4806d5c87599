import type { ExportResult } from '@opentelemetry/core';
import { ExportResultCode } from '@opentelemetry/core';
import type { OtlpDelivery } from './otlpDelivery';
import type { OtlpSend } from './otlpHttp';

const maxWaiting = 16_384;
const maxWaitingBytes = 16 * 1024 * 1024;
const maxBatch = 512;
const maxRequestBytes = 1024 * 1024;
/** How long a batch waits to fill up, in milliseconds. */
const batchDelay = 1000;
/** Pause after a full batch, in milliseconds, so that a flood of records doesn't slow down other extensions. */
const floodDelay = 100;
/** Pause after a failed request, in milliseconds. The exporter's own retries have already taken 13 seconds. */
const retryDelay = 30_000;
/** The longest timer delay, in milliseconds. Keeps the processor from starting another batch while one is being retried. */
const never = 2 ** 31 - 1;

/** OpenTelemetry's batch processor for one signal. */
export interface OtlpProcessor<Item> {
  add(item: Item): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

export interface OtlpProcessorOptions<Item> {
  readonly exporter: {
    export(items: Item[], done: (result: ExportResult) => void): void;
    forceFlush(): Promise<void>;
    shutdown(): Promise<void>;
  };
  readonly maxQueueSize: number;
  readonly maxExportBatchSize: number;
  readonly scheduledDelayMillis: number;
  readonly exportTimeoutMillis: number;
}

/** A signal: log records, or spans. */
export interface OtlpSignal<Item> {
  processor(options: OtlpProcessorOptions<Item>): OtlpProcessor<Item>;
  /** Estimated memory of an item, in bytes. */
  sizeOf(item: Item): number;
}

/**
 * Sends log records or spans in batches, one request at a time. OpenTelemetry's processor builds the batches; this class bounds the
 * queue, keeps a batch until the collector has answered, and counts losses. While the collector is unreachable, items beyond the
 * limit are dropped.
 */
export class OtlpBatches<Item> {
  private readonly processor: OtlpProcessor<Item>;
  private state: 'open' | 'ending' | 'closed' = 'open';
  /** Items that the collector hasn't acknowledged yet. */
  waiting = 0;
  private waitingBytes = 0;
  /** Items in the current request. */
  private inFlight = 0;
  private endPause = (): void => undefined;

  constructor(
    private readonly send: OtlpSend<Item>,
    private readonly delivery: OtlpDelivery,
    private readonly signal: OtlpSignal<Item>,
  ) {
    this.processor = signal.processor({
      exporter: {
        export: (items, done) => {
          // Losses are counted here; the processor would only log a failure.
          void this.deliver(items).finally(() => done({ code: ExportResultCode.SUCCESS }));
        },
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
      maxQueueSize: maxWaiting, // it drops silently when full, so `add` drops first
      maxExportBatchSize: maxBatch,
      scheduledDelayMillis: batchDelay,
      exportTimeoutMillis: never,
    });
  }

  /** @param convert not called for items that are dropped */
  add<Given>(given: readonly Given[], convert: (one: Given) => Item): void {
    if (this.state === 'closed') return;
    let dropped = 0;
    for (const one of given) {
      if (this.waiting >= maxWaiting || this.waitingBytes >= maxWaitingBytes) {
        dropped++;
        continue;
      }
      const item = convert(one);
      this.waiting++;
      this.waitingBytes += this.signal.sizeOf(item);
      this.processor.add(item);
    }
    this.delivery.lose(dropped);
  }

  /** Sends queued items immediately, for at most `grace` milliseconds, then closes. */
  async end(grace: number): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'ending';
    this.endPause();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, grace)));
    await Promise.race([this.processor.forceFlush(), late]);
    clearTimeout(timer);
    this.close();
  }

  /** Stops sending. Queued items are lost; the current request may still succeed. */
  close(): void {
    if (this.isClosed()) return;
    this.state = 'closed';
    this.endPause();
    void this.processor.shutdown();
    this.delivery.lose(this.waiting - this.inFlight);
    this.delivery.close();
    this.waiting = this.inFlight;
  }

  private async deliver(items: Item[]): Promise<void> {
    for (const request of this.requestsOf(items)) {
      while (!(await this.tryRequest(request))) await this.pause(retryDelay);
    }
    if (items.length === maxBatch) await this.pause(floodDelay);
  }

  /** Returns whether to continue with the next request: false if this one must be repeated. */
  private async tryRequest(items: Item[]): Promise<boolean> {
    if (this.isClosed()) return true; // `close` counted these items
    this.inFlight = items.length;
    const result = await this.send(items);
    this.inFlight = 0;
    if (result.type === 'sent') {
      const rejected = result.rejected ?? 0;
      this.delivery.succeed(items.length - rejected);
      this.settle(items, rejected);
      return true;
    }
    this.delivery.fail(result);
    if (this.state === 'ending') {
      this.close();
      return true;
    }
    if (result.type === 'unreachable' && !this.isClosed()) return false;
    this.settle(items, items.length);
    await this.pause(retryDelay);
    return true;
  }

  private settle(items: Item[], lost: number): void {
    this.waiting -= items.length;
    for (const item of items) this.waitingBytes -= this.signal.sizeOf(item);
    this.delivery.lose(lost);
  }

  private pause(ms: number): Promise<void> {
    if (this.state !== 'open') return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** A method, so that TypeScript doesn't narrow the state across an await. */
  private isClosed(): boolean {
    return this.state === 'closed';
  }

  /** Splits a batch so that no request is too large, unless a single item is. */
  private *requestsOf(items: Item[]): Generator<Item[]> {
    let start = 0;
    let bytes = 0;
    for (const [index, item] of items.entries()) {
      bytes += this.signal.sizeOf(item);
      if (index === start || bytes <= maxRequestBytes) continue;
      yield items.slice(start, index);
      start = index;
      bytes = this.signal.sizeOf(item);
    }
    if (start < items.length) yield items.slice(start);
  }
}
