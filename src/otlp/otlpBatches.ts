import { within } from '../time/waiting';
import type { OtlpDelivery } from './otlpDelivery';
import type { OtlpSend } from './otlpHttp';
import type { OtlpSource } from './otlpRecord';

const maxWaiting = 16_384;
const maxWaitingBytes = 16 * 1024 * 1024;
const maxBatch = 512;
const maxRequestBytes = 1024 * 1024;
/** How long a batch waits to fill up, in milliseconds. */
const batchDelay = 1000;
/** Pause after a full request, in milliseconds, so that a flood of records doesn't slow down other extensions. */
const floodDelay = 100;
/** Pause after a failed request, in milliseconds. The exporter's own retries have already taken 13 seconds. */
const retryDelay = 30_000;
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
  /** Returns the conversion for one run, whose result is `undefined` for what isn't sent. */
  converter(source: OtlpSource): (given: Given) => Item | undefined;
  /** Estimated memory of an item, in bytes. */
  sizeOf(item: Item): number;
}

/**
 * Sends the log records, spans or durations of runs in batches, one request at a time. Keeps a batch until the collector has answered, and counts losses:
 * OpenTelemetry's batch processors drop silently. While the collector is unreachable, items beyond the limit are dropped.
 */
export class OtlpBatches<Given, Item> {
  private readonly converters = new WeakMap<OtlpSource, (given: Given) => Item | undefined>();
  /** Items that the collector hasn't acknowledged yet, oldest first. */
  private readonly queue: Item[] = [];
  private bytes = 0;
  private state: 'open' | 'ending' | 'closed' = 'open';
  /** Items in the current request, the first in the queue. */
  private inFlight = 0;
  private sending: Promise<void> | undefined;
  /** Whether the current pause is for a batch to fill up. */
  private isFilling = false;
  private endPause = (): void => undefined;

  constructor(
    private readonly send: OtlpSend<Item>,
    private readonly delivery: OtlpDelivery,
    private readonly signal: OtlpSignal<Given, Item>,
  ) {}

  /** Number of items that the collector hasn't acknowledged yet. */
  get waiting(): number {
    return this.queue.length;
  }

  add(source: OtlpSource, given: readonly Given[]): void {
    if (this.state === 'closed') return;
    const convert = this.converters.get(source) ?? this.signal.converter(source);
    this.converters.set(source, convert);
    let dropped = 0;
    for (const one of given) {
      if (this.queue.length >= maxWaiting || this.bytes >= maxWaitingBytes) {
        dropped++;
        continue;
      }
      const item = convert(one);
      if (item === undefined) continue;
      this.bytes += this.signal.sizeOf(item);
      this.queue.push(item);
    }
    this.delivery.lose(dropped);
    if (this.isFilling && this.queue.length >= maxBatch) this.endPause();
    if (this.queue.length > 0) this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
  }

  /** Sends queued items immediately, for at most `grace` milliseconds, then closes. */
  async end(grace: number): Promise<void> {
    if (this.state !== 'open') return;
    this.state = 'ending';
    this.endPause();
    if (this.sending) await within(grace, this.sending).catch(() => undefined);
    this.close();
  }

  /** Stops sending. Queued items are lost; the current request may still succeed. */
  close(): void {
    if (this.isClosed()) return;
    this.state = 'closed';
    this.endPause();
    this.delivery.lose(this.queue.splice(this.inFlight).length);
    this.delivery.close();
  }

  private async sendAll(): Promise<void> {
    while (this.queue.length > 0 && !this.isClosed()) {
      if (this.queue.length < maxBatch) {
        this.isFilling = true;
        await this.pause(batchDelay);
        this.isFilling = false;
      }
      const items = this.nextRequest();
      const isFlood = items.length === maxBatch || items.length < this.queue.length;
      while (!(await this.tryRequest(items))) await this.pause(retryDelay);
      if (isFlood) await this.pause(floodDelay);
    }
  }

  /** As many items as one request may have, and at least one. */
  private nextRequest(): Item[] {
    let bytes = 0;
    const end = this.queue.slice(0, maxBatch).findIndex((item, index) => {
      bytes += this.signal.sizeOf(item);
      return index > 0 && bytes > maxRequestBytes;
    });
    return this.queue.slice(0, end < 0 ? maxBatch : end);
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
      this.settle(items.length, rejected);
      return true;
    }
    this.delivery.fail(result);
    if (this.state === 'ending') {
      this.close();
      return true;
    }
    if (result.type === 'unreachable' && !this.isClosed()) return false;
    this.settle(items.length, items.length);
    await this.pause(retryDelay);
    return true;
  }

  private settle(count: number, lost: number): void {
    for (const item of this.queue.splice(0, count)) this.bytes -= this.signal.sizeOf(item);
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
}
