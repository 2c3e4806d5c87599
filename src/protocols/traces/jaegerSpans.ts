import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { TraceSpan } from './traceSpan';
import { milliseconds, spanError, traceSpan } from './traceSpan';

/** The spans that Jaeger wrote; `undefined` if it is something else. */
export function jaegerSpansOf(msg: JsonObject): readonly TraceSpan[] | undefined {
  if (isJaeger(msg)) return arrayOf(msg['data']).map(objectOf).flatMap(jaegerSpans);
  return isJaegerTrace(msg) ? jaegerSpans(msg) : undefined;
}

/** What Jaeger's page downloads, and its API answers. */
function isJaeger({ data }: JsonObject): boolean {
  return Array.isArray(data) && data.length > 0 && isObject(data[0]) && isJaegerTrace(data[0]);
}

function isJaegerTrace({ spans }: JsonObject): boolean {
  const first = objectOf(arrayOf(spans)[0]);
  return 'operationName' in first && 'traceID' in first;
}

function jaegerSpans({ spans, processes }: JsonObject): TraceSpan[] {
  return arrayOf(spans)
    .map(objectOf)
    .map((span) => {
      const attributes = keyed(span['tags']);
      const reference = arrayOf(span['references']).map(objectOf)[0];
      const process = objectOf(objectOf(processes)[textOf(span['processID']) ?? '']);
      const startedAt = (numberOf(span['startTime']) ?? 0) / 1000;
      const events = arrayOf(span['logs'])
        .map(objectOf)
        .map(({ fields }) => keyed(fields))
        .map((fields) => ({ name: textOf(fields['event']), attributes: fields }));
      const isFailed = attributes['error'] === true || attributes['otel.status_code'] === 'ERROR';
      const status = { code: isFailed ? 2 : 0, message: attributes['otel.status_description'] };
      return traceSpan({
        traceId: textOf(span['traceID']) ?? '',
        id: textOf(span['spanID']) ?? '',
        parentId: textOf(reference?.['spanID']),
        name: textOf(span['operationName']) ?? 'span',
        startedAt: milliseconds(startedAt),
        endedAt: milliseconds(startedAt + (numberOf(span['duration']) ?? 0) / 1000),
        attributes,
        error: spanError(status, attributes, events),
        service: textOf(process['serviceName'])?.slice(0, 200),
        written: span,
        events,
      });
    });
}

function keyed(list: unknown): JsonObject {
  return Object.fromEntries(
    arrayOf(list)
      .map(objectOf)
      .flatMap(({ key, value }): [string, unknown][] => (textOf(key) === undefined ? [] : [[String(key), value]])),
  );
}
