import type { Words } from '../text/translator';
import { t, verbatim } from '../text/translator';

import type { ExportResult } from '@opentelemetry/core';
import { ExportResultCode } from '@opentelemetry/core';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { IExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import {
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  LogsExporterMetricsHelper,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { objectOf, textOf } from '../text/json';
import type { OtlpDuration } from './otlpMetric';
import { durationMetricsHelper, DurationRequests } from './otlpMetric';

/** Where to send requests, and for how long. */
export interface OtlpEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For one request with all its retries, in milliseconds. */
  readonly timeout: number;
  /** Default: `json`. */
  readonly encoding?: OtlpEncoding;
}

/** OTLP/HTTP's two encodings. Metrics are always JSON. */
export type OtlpEncoding = 'json' | 'protobuf';

/** The outcome of one request, after the exporter's own retries. */
export type OtlpSendResult =
  /** Accepted, except for the items that the collector rejected, and why. */
  | { readonly type: 'sent'; readonly rejected?: number; readonly reason?: Words }
  /** No answer, or one that asks to try again later: then it is only busy. */
  | { readonly type: 'unreachable'; readonly reason: Words; readonly isBusy?: true }
  /** Rejected; sending the same again would not help. Without an HTTP status, the collector answered that it took none of the items. */
  | { readonly type: 'refused'; readonly reason: Words; readonly status?: number };

/** Sends one request; the promise never rejects. */
export type OtlpSend<Item> = (items: Item[]) => Promise<OtlpSendResult>;

/**
 * OTLP over HTTP, with OpenTelemetry's exporter. It retries up to five times after a connection error, 429, 502, 503 or 504, with
 * backoff or after the time in `Retry-After`, and honors the OTEL_EXPORTER_OTLP_ variables for headers, certificates and compression.
 *
 * Does the same as the constructor of `OTLPLogExporter`, but reads the response: `OTLPLogExporter` only logs how many records the
 * collector rejected. Spans and metrics are sent the same way.
 */
function otlpHttp<Item>({ url, headers, timeout }: OtlpEndpoint, signal: Signal<Item>): OtlpSend<Item> {
  const { serializer, encoding } = signal;
  let response: unknown;
  const exporter = createOtlpHttpExportDelegate(
    // The only exported function that reads the variables.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    convertLegacyHttpOptions({ url, headers: { ...headers }, timeoutMillis: timeout }, signal.name, signal.path, {
      'Content-Type': encoding === 'protobuf' ? 'application/x-protobuf' : 'application/json',
    }),
    {
      serializeRequest: (items: Item[]) => serializer.serializeRequest(items),
      deserializeResponse: (data) => {
        response = serializer.deserializeResponse(data);
        return {}; // Otherwise the exporter logs partial success to a logger that all extensions share.
      },
    },
    signal.component,
    signal.metrics,
    undefined,
  );
  return (items) =>
    new Promise((resolve) => {
      response = undefined; // requests don't overlap
      try {
        exporter.export(items, (result) => resolve(resultOf(result, response, items.length)));
      } catch (error) {
        resolve({ type: 'refused', reason: verbatim(error instanceof Error ? error.message : String(error)) });
      }
    });
}

export function otlpLogs(endpoint: OtlpEndpoint): OtlpSend<ReadableLogRecord> {
  const { encoding = 'json' } = endpoint;
  return otlpHttp(endpoint, {
    name: 'LOGS',
    path: 'v1/logs',
    component: 'otlp_http_log_exporter',
    encoding,
    serializer: encoding === 'protobuf' ? ProtobufLogsSerializer : JsonLogsSerializer,
    metrics: LogsExporterMetricsHelper,
  });
}

export function otlpTraces(endpoint: OtlpEndpoint): OtlpSend<ReadableSpan> {
  const { encoding = 'json' } = endpoint;
  return otlpHttp(endpoint, {
    name: 'TRACES',
    path: 'v1/traces',
    component: 'otlp_http_span_exporter',
    encoding,
    serializer: encoding === 'protobuf' ? ProtobufTraceSerializer : JsonTraceSerializer,
    metrics: TraceExporterMetricsHelper,
  });
}

/** @param env what may ask for deltas, as OpenTelemetry's exporters do */
export function otlpMetrics(
  endpoint: OtlpEndpoint,
  env: Readonly<Record<string, string | undefined>> = process.env,
  now = Date.now,
): OtlpSend<OtlpDuration> {
  const preference = env['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE']?.trim().toLowerCase();
  const requests = new DurationRequests(preference === 'delta' || preference === 'lowmemory', now);
  const send = otlpHttp<OtlpDuration>(endpoint, {
    name: 'METRICS',
    path: 'v1/metrics',
    component: 'otlp_http_metric_exporter',
    encoding: 'json',
    serializer: {
      serializeRequest: (items) => requests.serialize(items),
      deserializeResponse: (data) => JsonMetricsSerializer.deserializeResponse(data),
    },
    metrics: durationMetricsHelper,
  });
  return async (items) => {
    const result = await send(items);
    if (result.type === 'sent') requests.acknowledge(items);
    return result;
  };
}

/** OpenTelemetry's parts for log records, spans or metrics. */
interface Signal<Item> {
  readonly name: 'LOGS' | 'TRACES' | 'METRICS';
  readonly path: string;
  readonly component: string;
  readonly encoding: OtlpEncoding;
  readonly serializer: {
    serializeRequest(items: Item[]): Uint8Array | undefined;
    deserializeResponse(data: Uint8Array): unknown;
  };
  readonly metrics: IExporterMetricsHelper<Item[]>;
}

function resultOf({ code, error }: ExportResult, response: unknown, count: number): OtlpSendResult {
  if (code === ExportResultCode.SUCCESS) return acceptedOf(response, count);
  const { code: status } = (error ?? {}) as { code?: unknown };
  const message = error?.message ?? '';
  // The exporter includes an HTTP status only if the request isn't worth retrying.
  if (typeof status === 'number') {
    return { type: 'refused', reason: verbatim(`HTTP ${status} ${message}`.trim()), status };
  }
  if (message.startsWith('Export failed with retryable')) {
    const reason = t('it is overloaded or unavailable (HTTP 429, 502, 503 or 504)');
    return { type: 'unreachable', reason, isBusy: true };
  }
  const reason = textOf(message) ?? textOf(status);
  return { type: 'unreachable', reason: reason === undefined ? t('unknown error') : verbatim(reason) };
}

/** Reads OTLP's partial success: a 200 response can reject some or all of the items. */
function acceptedOf(response: unknown, count: number): OtlpSendResult {
  const { rejectedLogRecords, rejectedSpans, rejectedDataPoints, errorMessage } = objectOf(
    objectOf(response)['partialSuccess'],
  );
  const rejected = Math.min(Number(rejectedLogRecords ?? rejectedSpans ?? rejectedDataPoints) || 0, count); // JSON encodes 64-bit integers as strings
  if (rejected <= 0) return { type: 'sent' };
  const reason = textOf(errorMessage);
  if (rejected < count) return { type: 'sent', rejected, ...(reason !== undefined && { reason: verbatim(reason) }) };
  return { type: 'refused', reason: reason === undefined ? t('it accepted none of them') : verbatim(reason) };
}
