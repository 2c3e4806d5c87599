// The export to an OpenTelemetry collector. It is bundled into a file of its own and loaded on first use.
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableLogRecord, ReadWriteLogRecord } from '@opentelemetry/sdk-logs';
import { BatchLogRecordProcessor } from '@opentelemetry/sdk-logs';
import type { LogRecord } from '../../log/record';
import type { OtlpReport } from './otlpDelivery';
import { OtlpDelivery } from './otlpDelivery';
import type { OtlpEndpoint, OtlpSend } from './otlpHttp';
import { otlpHttp } from './otlpHttp';
import type { OtlpSource } from './otlpRecord';
import { OtlpConverter, otlpSize } from './otlpRecord';

const maxWaiting = 16_384;
const maxWaitingBytes = 16 * 1024 * 1024;
const maxBatch = 512;
const maxRequestBytes = 1024 * 1024;
/** How long a batch waits to fill up, in milliseconds. */
const batchDelay = 1000;
/** Pause after a full batch, in milliseconds: during a flood the export must not slow down other extensions. */
const floodDelay = 100;
/** Pause after a failed request, whose own retries have taken 13 seconds, in milliseconds. */
const retryDelay = 30_000;
/** The longest delay of a timer, in milliseconds: the processor must not start another batch while one is retried. */
const never = 2 ** 31 - 1;

/** Exports to a collector. */
export function otlpSender(endpoint: OtlpEndpoint, report: (report: OtlpReport) => void): OtlpSender {
  return new OtlpSender(otlpHttp(endpoint), new OtlpDelivery(report));
}

/**
 * Sends records in batches, one request at a time. OpenTelemetry's processor makes the batches; this class bounds what waits, keeps a batch
 * until the collector has answered, and counts what is lost. While the collector is unreachable, records that don't fit any more are lost.
 */
export class OtlpSender {
  private readonly converters = new WeakMap<OtlpSource, OtlpConverter>();
  private readonly processor = new BatchLogRecordProcessor({
    exporter: {
      export: (logs, done) => {
        // Losses are counted here; the processor would only log a failure.
        void this.deliver(logs).finally(() => done({ code: ExportResultCode.SUCCESS }));
      },
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    },
    maxQueueSize: maxWaiting, // It drops silently when full, so `add` drops first.
    maxExportBatchSize: maxBatch,
    scheduledDelayMillis: batchDelay,
    exportTimeoutMillis: never,
  });
  private state: 'open' | 'ending' | 'closed' = 'open';
  /** Records that the collector has not answered for yet. */
  waiting = 0;
  private waitingBytes = 0;
  /** Records in the current request. */
  private inFlight = 0;
  private endPause = (): void => undefined;

  constructor(
    private readonly send: OtlpSend,
    private readonly delivery: OtlpDelivery,
  ) {}

  add(source: OtlpSource, records: readonly LogRecord[]): void {
    if (this.state === 'closed') return;
    let dropped = 0;
    const converter = this.converterOf(source);
    for (const record of records) {
      if (this.waiting >= maxWaiting || this.waitingBytes >= maxWaitingBytes) {
        dropped++;
        continue;
      }
      const log = converter.convert(record);
      this.waiting++;
      this.waitingBytes += otlpSize(log);
      this.processor.onEmit(log as ReadWriteLogRecord); // The processor only reads it.
    }
    this.delivery.lose(dropped);
  }

  /** Sends without delay what waits, for at most `grace` milliseconds, and then closes. */
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

  /** Stops sending. What waits is lost; the current request may still succeed. */
  close(): void {
    if (this.isClosed()) return;
    this.state = 'closed';
    this.endPause();
    void this.processor.shutdown();
    this.delivery.lose(this.waiting - this.inFlight);
    this.delivery.close();
    this.waiting = this.inFlight;
  }

  private async deliver(logs: ReadableLogRecord[]): Promise<void> {
    for (const request of requestsOf(logs)) {
      while (!(await this.tryRequest(request))) await this.pause(retryDelay);
    }
    if (logs.length === maxBatch) await this.pause(floodDelay);
  }

  /** Returns whether to go on with the next request: false if this one has to be repeated. */
  private async tryRequest(logs: ReadableLogRecord[]): Promise<boolean> {
    if (this.isClosed()) return true; // `close` counted these records.
    this.inFlight = logs.length;
    const result = await this.send(logs);
    this.inFlight = 0;
    if (result.type === 'sent') {
      const rejected = result.rejected ?? 0;
      this.delivery.succeed(logs.length - rejected);
      this.settle(logs, rejected);
      return true;
    }
    this.delivery.fail(result);
    if (this.state === 'ending') {
      this.close();
      return true;
    }
    if (result.type === 'unreachable' && !this.isClosed()) return false;
    this.settle(logs, logs.length);
    await this.pause(retryDelay);
    return true;
  }

  private settle(logs: ReadableLogRecord[], lost: number): void {
    this.waiting -= logs.length;
    for (const log of logs) this.waitingBytes -= otlpSize(log);
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

  private converterOf(source: OtlpSource): OtlpConverter {
    let converter = this.converters.get(source);
    if (!converter) this.converters.set(source, (converter = new OtlpConverter(source)));
    return converter;
  }
}

/** Splits a batch so that no request is too large, except for a single record that is. */
function* requestsOf(logs: ReadableLogRecord[]): Generator<ReadableLogRecord[]> {
  let start = 0;
  let bytes = 0;
  for (const [index, log] of logs.entries()) {
    bytes += otlpSize(log);
    if (index === start || bytes <= maxRequestBytes) continue;
    yield logs.slice(start, index);
    start = index;
    bytes = otlpSize(log);
  }
  if (start < logs.length) yield logs.slice(start);
}
