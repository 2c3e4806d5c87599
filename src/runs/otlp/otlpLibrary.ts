// The export to a collector, with the parts of OpenTelemetry's official exporter. It is bundled into a file of its own, and loaded when first used.
import type { ExportResult } from '@opentelemetry/core';
import { ExportResultCode } from '@opentelemetry/core';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { IExportLogsPartialSuccess } from '@opentelemetry/otlp-transformer';
import { LogsExporterMetricsHelper, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { OtlpRecord, OtlpResource } from './otlpRecord';
import type { OtlpSenderOptions } from './otlpSender';
import { OtlpSender } from './otlpSender';
import type { OtlpSendResult, OtlpTransport, OtlpTransportOptions } from './otlpTransport';

type Scope = ReadableLogRecord['instrumentationScope'];

/** Sends records to a collector, by OTLP over HTTP with protobuf. */
export function otlpSender(target: OtlpTransportOptions, options: Omit<OtlpSenderOptions, 'transport'>): OtlpSender {
  return new OtlpSender({ ...options, transport: otlpTransport(target) });
}

/**
 * Sends with the official exporter: it retries what the specification calls retryable (no answer, 429, 502, 503, 504) up to five times,
 * later each time, or when `Retry-After` says. The OTEL_EXPORTER_OTLP_ variables for certificates and compression have their effect.
 * Only what its answer says of records that it did not take, the exporter itself keeps to its own log.
 */
export function otlpTransport({ url, headers, timeout }: OtlpTransportOptions): OtlpTransport {
  let partial: IExportLogsPartialSuccess | undefined;
  const delegate = createOtlpHttpExportDelegate(
    // There is no other way yet to what the variables say.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    convertLegacyHttpOptions({ url, headers: { ...headers }, timeoutMillis: timeout }, 'LOGS', 'v1/logs', {
      'Content-Type': 'application/x-protobuf',
    }),
    {
      serializeRequest: (logs: ReadableLogRecord[]) => ProtobufLogsSerializer.serializeRequest(logs),
      deserializeResponse: (data) => {
        const response = ProtobufLogsSerializer.deserializeResponse(data);
        partial = response.partialSuccess;
        return {}; // what the library would do is say it in a log of its own
      },
    },
    'otlp_http_log_exporter',
    LogsExporterMetricsHelper,
    undefined,
  );
  const resources = new WeakMap<OtlpResource, Resource>();
  return {
    send: (records) =>
      new Promise((resolve) => {
        const scopes = new Map<string, Scope>();
        try {
          const logs = records.map((record) => readable(record, resources, scopes));
          partial = undefined; // there is one batch at a time
          delegate.export(logs, (result) => resolve(resultOf(result, partial, records.length)));
        } catch (error) {
          // What cannot be written now cannot be written later.
          resolve({ type: 'refused', reason: error instanceof Error ? error.message : String(error) });
        }
      }),
  };
}

/** The exporter groups by the identity of resources and scopes. */
function readable(
  record: OtlpRecord,
  resources: WeakMap<OtlpResource, Resource>,
  scopes: Map<string, Scope>,
): ReadableLogRecord {
  let resource = resources.get(record.resource);
  if (!resource) resources.set(record.resource, (resource = resourceFromAttributes(record.resource.attributes)));
  let scope = scopes.get(record.scope);
  if (!scope) scopes.set(record.scope, (scope = { name: record.scope }));
  // Its enumeration is made of the same numbers.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  return { ...record, resource, instrumentationScope: scope };
}

function resultOf(
  { code, error }: ExportResult,
  partial: IExportLogsPartialSuccess | undefined,
  count: number,
): OtlpSendResult {
  if (code === ExportResultCode.SUCCESS) return takenOf(partial, count);
  const { code: status } = (error ?? {}) as { code?: unknown };
  const message = error?.message ?? '';
  // The exporter gives an HTTP status only with what is not to be retried.
  if (typeof status === 'number') return { type: 'refused', reason: `HTTP ${status} ${message}`.trim() };
  if (message.startsWith('Export failed with retryable')) {
    return { type: 'unreachable', reason: 'it answers that it is too busy (HTTP 429, 502, 503 or 504)' };
  }
  return { type: 'unreachable', reason: [message, status].find(isText) ?? 'no reason given' };
}

/** OTLP "Partial Success": the collector may take some of the records, or none, and say so in an answer of success. */
function takenOf(partial: IExportLogsPartialSuccess | undefined, count: number): OtlpSendResult {
  const rejected = Math.min(partial?.rejectedLogRecords ?? 0, count);
  if (rejected <= 0) return { type: 'sent' };
  if (rejected < count) return { type: 'sent', rejected };
  return { type: 'refused', reason: [partial?.errorMessage].find(isText) ?? 'it takes none of them' };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
