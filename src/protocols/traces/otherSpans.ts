import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import { timeOf } from '../logFields/timeOf';
import type { TraceSpan } from './traceSpan';
import { milliseconds, serviceIn, spanError, traceSpan } from './traceSpan';

/** The spans that Jaeger, Zipkin or the console exporter of OpenTelemetry for Python wrote; `undefined` if it is none of them. */
export function otherSpansOf(msg: JsonObject): readonly TraceSpan[] | undefined {
  if (isJaeger(msg)) return arrayOf(msg['data']).map(objectOf).flatMap(jaegerSpans);
  if (isJaegerTrace(msg)) return jaegerSpans(msg);
  if (isZipkin(msg)) return [zipkinSpan(msg)];
  return isConsole(msg) ? [consoleSpan(msg)] : undefined;
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

/** Zipkin's API v2. */
function isZipkin({ traceId, id, timestamp, duration, name, localEndpoint }: JsonObject): boolean {
  const isNamed = typeof traceId === 'string' && typeof id === 'string' && typeof name === 'string';
  return isNamed && typeof timestamp === 'number' && typeof duration === 'number' && isObject(localEndpoint);
}

function zipkinSpan(span: JsonObject): TraceSpan {
  const attributes = objectOf(span['tags']);
  const startedAt = (numberOf(span['timestamp']) ?? 0) / 1000;
  const status = { code: 'error' in attributes ? 2 : 0, message: attributes['error'] };
  return traceSpan({
    traceId: textOf(span['traceId']) ?? '',
    id: textOf(span['id']) ?? '',
    parentId: textOf(span['parentId']),
    name: textOf(span['name']) ?? 'span',
    startedAt: milliseconds(startedAt),
    endedAt: milliseconds(startedAt + (numberOf(span['duration']) ?? 0) / 1000),
    attributes,
    error: spanError(status, attributes, undefined),
    service: textOf(objectOf(span['localEndpoint'])['serviceName'])?.slice(0, 200),
    written: span,
  });
}

/** What `ConsoleSpanExporter` prints, an object over many lines. */
function isConsole({ context, start_time: start, end_time: end }: JsonObject): boolean {
  return textOf(objectOf(context)['trace_id']) !== undefined && typeof start === 'string' && typeof end === 'string';
}

function consoleSpan(span: JsonObject): TraceSpan {
  const { context, parent_id: parent, attributes, events, status, resource } = span;
  const own = objectOf(attributes);
  const startedAt = timeOf(span['start_time']) ?? 0;
  return traceSpan({
    traceId: textOf(objectOf(context)['trace_id']) ?? '',
    id: textOf(objectOf(context)['span_id']) ?? '',
    parentId: textOf(parent),
    name: textOf(span['name']) ?? 'span',
    startedAt: milliseconds(startedAt),
    endedAt: milliseconds(timeOf(span['end_time']) ?? startedAt),
    attributes: own,
    error: spanError(objectOf(status), own, events),
    service: serviceIn(objectOf(objectOf(resource)['attributes'])),
    written: span,
    events,
  });
}
