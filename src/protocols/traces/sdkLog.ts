import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf } from '../../text/json';
import type { OtlpLog } from '../ndjson/otelLog';

/** A log record as the SDK for JavaScript keeps it, which VS Code's file exporter writes, in the names of OTLP. */
export function sdkLogOf(entry: JsonObject): OtlpLog | undefined {
  const { hrTime, _body: body, attributes, severityNumber, severityText, spanContext, instrumentationScope } = entry;
  if (!Array.isArray(hrTime)) return undefined;
  const [seconds = 0, nanoseconds = 0] = hrTime.map(Number);
  const { traceId, spanId } = objectOf(spanContext);
  const { attributes: named, _rawAttributes: pairs } = objectOf(entry['resource']);
  const resource = Array.isArray(pairs) ? Object.fromEntries(arrayOf(pairs).filter(isPair)) : named;
  return {
    record: {
      timestamp: seconds * 1000 + nanoseconds / 1e6,
      observedTimestamp: '',
      body: body ?? entry['body'],
      attributes,
      severityNumber,
      severityText,
      traceId,
      spanId,
    },
    resource: { attributes: resource },
    scope: instrumentationScope,
  };
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && typeof value[0] === 'string' && value.length === 2;
}
