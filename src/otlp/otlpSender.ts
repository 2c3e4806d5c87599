// The export to an OpenTelemetry collector. Bundled into a separate file that is loaded on first use.
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { LogRecord } from '../text/record';
import type { Span } from '../timeline/span';
import type { OtlpSignal } from './otlpBatches';
import { OtlpBatches, otlpSize } from './otlpBatches';
import type { OtlpReport } from './otlpDelivery';
import { OtlpDelivery } from './otlpDelivery';
import type { OtlpEndpoint } from './otlpHttp';
import { otlpLogs, otlpMetrics, otlpTraces } from './otlpHttp';
import type { OtlpDuration } from './otlpMetric';
import { RunDurations } from './otlpMetric';
import { OtlpConverter } from './otlpRecord';
import { OtlpSpans } from './otlpSpan';

export type OtlpLogSender = OtlpBatches<LogRecord, ReadableLogRecord>;
export type OtlpSpanSender = OtlpBatches<Span, ReadableSpan>;
export type OtlpDurationSender = OtlpBatches<Span, OtlpDuration>;

export const logSignal: OtlpSignal<LogRecord, ReadableLogRecord> = {
  converter: (source) => {
    const converter = new OtlpConverter(source);
    return (record) => converter.convert(record);
  },
  sizeOf: ({ body, attributes }) => otlpSize(body, attributes),
};

export const spanSignal: OtlpSignal<Span, ReadableSpan> = {
  converter: (source) => {
    const converter = new OtlpSpans(source);
    return (span) => converter.convert(span, span.startedAt);
  },
  sizeOf: ({ name, attributes }) => otlpSize(name, attributes),
};

/** @param now milliseconds since the epoch */
export function durationSignal(now: () => number): OtlpSignal<Span, OtlpDuration> {
  return {
    converter: (source) => {
      const run = new RunDurations(source, now());
      return (span) => run.durationOf(span);
    },
    sizeOf: ({ series }) => otlpSize(series.metric.name, {}),
  };
}

/** Exports log records to a collector. */
export function otlpSender(endpoint: OtlpEndpoint, report: (report: OtlpReport) => void): OtlpLogSender {
  return new OtlpBatches(otlpLogs(endpoint), new OtlpDelivery(report), logSignal);
}

/** Exports spans to a collector, after they have ended. */
export function otlpSpanSender(endpoint: OtlpEndpoint, report: (report: OtlpReport) => void): OtlpSpanSender {
  return new OtlpBatches(otlpTraces(endpoint), new OtlpDelivery(report), spanSignal);
}

/** Exports the durations of turns, subagents and tool calls to a collector, as histograms. */
export function otlpDurationSender(endpoint: OtlpEndpoint, report: (report: OtlpReport) => void): OtlpDurationSender {
  return new OtlpBatches(otlpMetrics(endpoint), new OtlpDelivery(report), durationSignal(Date.now));
}
