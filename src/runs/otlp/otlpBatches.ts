import type { ExportResult } from '@opentelemetry/core';
import { ExportResultCode } from '@opentelemetry/core';
import { within } from '../waiting';
import type { OtlpDelivery } from './otlpDelivery';
import type { OtlpSend } from './otlpHttp';
import type { OtlpSource } from './otlpRecord';

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

/** What all processors and exporters of OpenTelemetry have. */
interface Flushable {
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

interface OtlpProcessorOptions<Item> {
  readonly exporter: Flushable & { export(items: Item[], done: (result: ExportResult) => void): void };
  readonly maxQueueSize: number;
  readonly maxExportBatchSize: number;
  readonly scheduledDelayMillis: number;
  readonly exportTimeoutMillis: number;
}

/** Estimated memory of an item with this text, in bytes. */
export function otlpSize(text: unknown, attributes: object): number {
  let size = 400 + sizeOf(text);
  for (const [name, value] of Object.entries(attributes)) size += 32 + name.length * 2 + sizeOf(value);
  return size;
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length * 2 : 8;
}

/** A signal: our records or spans, and what OpenTelemetry makes of them. */
export interface OtlpSignal<Given, Item> {
  /** OpenTelemetry's batch processor. */
  processor(options: OtlpProcessorOptions<Item>): { readonly processor: Flushable; add(item: Item): void };
  /** Returns the conversion for one run. */
  converter(source: OtlpSource): (given: Given) => Item;
  /** Estimated memory of an item, in bytes. */
  sizeOf(item: Item): number;
}

/**
 * Sends the log records or spans of runs in batches, one request at a time. OpenTelemetry's processor builds the batches; this class bounds the
 * queue, keeps a batch until the collector has answered, and counts losses. While the collector is unreachable, items beyond the
 * limit are dropped.
 */
export class OtlpBatches<Given, Item> {
  private readonly converters = new WeakMap<OtlpSource, (given: Given) => Item>();
  private readonly queue: ReturnType<OtlpSignal<Given, Item>['processor']>;
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
    private readonly signal: OtlpSignal<Given, Item>,
  ) {
    this.queue = signal.processor({
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

  add(source: OtlpSource, given: readonly Given[]): void {
    if (this.state === 'closed') return;
    const convert = this.converters.get(source) ?? this.signal.converter(source);
    this.converters.set(source, convert);
    let dropped = 0;
    for (const one of given) {
      if (this.waiting >= maxWaiting || this.waitingBytes >= maxWaitingBytes) {
        dropped++;
        continue;
      }
      const item = convert(one);
      this.waiting++;
      this.waitingBytes += this.signal.sizeOf(item);
      this.queue.add(item);
    }
    this.delivery.lose(dropped);
  }

  /** Sends queued items immediately, for at most `grace` milliseconds, then closes. */
  async end(grace: number): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'ending';
    this.endPause();
    await within(grace, this.queue.processor.forceFlush()).catch(() => undefined);
    this.close();
  }

  /** Stops sending. Queued items are lost; the current request may still succeed. */
  close(): void {
    if (this.isClosed()) return;
    this.state = 'closed';
    this.endPause();
    void this.queue.processor.shutdown();
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
