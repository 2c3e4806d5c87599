// The export to an OpenTelemetry collector. Bundled into a separate file that is loaded on first use.
import type { ReadableLogRecord, ReadWriteLogRecord } from '@opentelemetry/sdk-logs';
import { BatchLogRecordProcessor } from '@opentelemetry/sdk-logs';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import type { LogRecord } from '../../log/record';
import type { Span } from '../../timeline/span';
import type { OtlpSignal } from './otlpBatches';
import { OtlpBatches } from './otlpBatches';
import type { OtlpReport } from './otlpDelivery';
import { OtlpDelivery } from './otlpDelivery';
import type { OtlpEndpoint, OtlpSend } from './otlpHttp';
import { otlpLogs, otlpTraces } from './otlpHttp';
import type { OtlpSource } from './otlpRecord';
import { OtlpConverter, otlpSize } from './otlpRecord';
import { OtlpSpans, otlpSpanSize } from './otlpSpan';

const logSignal: OtlpSignal<ReadableLogRecord> = {
  processor: (options) => {
    const processor = new BatchLogRecordProcessor(options);
    return {
      add: (log) => processor.onEmit(log as ReadWriteLogRecord), // the processor only reads it
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    };
  },
  sizeOf: otlpSize,
};

const spanSignal: OtlpSignal<ReadableSpan> = {
  processor: (options) => {
    const processor = new BatchSpanProcessor(options);
    return {
      add: (span) => processor.onEnd(span),
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    };
  },
  sizeOf: otlpSpanSize,
};

/** Exports log records to a collector. */
export function otlpSender(endpoint: OtlpEndpoint, report: (report: OtlpReport) => void): OtlpSender {
  return new OtlpSender(otlpLogs(endpoint), new OtlpDelivery(report));
}

/** Exports spans to a collector. */
export function otlpSpanSender(endpoint: OtlpEndpoint, report: (report: OtlpReport) => void): OtlpSpanSender {
  return new OtlpSpanSender(otlpTraces(endpoint), new OtlpDelivery(report));
}

/** Sends the records of runs. */
export class OtlpSender {
  private readonly converters = new WeakMap<OtlpSource, OtlpConverter>();
  private readonly batches: OtlpBatches<ReadableLogRecord>;

  constructor(send: OtlpSend<ReadableLogRecord>, delivery: OtlpDelivery) {
    this.batches = new OtlpBatches(send, delivery, logSignal);
  }

  /** Records that the collector hasn't acknowledged yet. */
  get waiting(): number {
    return this.batches.waiting;
  }

  add(source: OtlpSource, records: readonly LogRecord[]): void {
    let converter = this.converters.get(source);
    if (!converter) this.converters.set(source, (converter = new OtlpConverter(source)));
    const { batches } = this;
    batches.add(records, (record) => converter.convert(record));
  }

  /** Sends queued records immediately, for at most `grace` milliseconds, then closes. */
  end(grace: number): Promise<void> {
    return this.batches.end(grace);
  }

  /** Stops sending. Queued records are lost; the current request may still succeed. */
  close(): void {
    this.batches.close();
  }
}

/** Sends the spans of runs after they end. */
export class OtlpSpanSender {
  private readonly converters = new WeakMap<OtlpSource, OtlpSpans>();
  private readonly batches: OtlpBatches<ReadableSpan>;

  constructor(send: OtlpSend<ReadableSpan>, delivery: OtlpDelivery) {
    this.batches = new OtlpBatches(send, delivery, spanSignal);
  }

  add(source: OtlpSource, spans: readonly Span[]): void {
    let converter = this.converters.get(source);
    if (!converter) this.converters.set(source, (converter = new OtlpSpans(source)));
    const { batches } = this;
    batches.add(spans, (span) => converter.convert(span, span.startedAt));
  }

  end(grace: number): Promise<void> {
    return this.batches.end(grace);
  }

  close(): void {
    this.batches.close();
  }
}
