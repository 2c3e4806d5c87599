import { ownHead } from '../../text/ownText';
import { boundedJson } from '../../text/boundedJson';
import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../text/json';
import { boundedData } from '../../text/cutJson';
import { messageFields, traceIdIn } from '../ndjson/protoJson';
import { plainAttributes } from '../ndjson/otelLog';
import type { GenAi } from './genAi';
import { genAiOf } from './genAi';
import { spanEventContent, withContent } from './genAiContent';

/** A span of OpenTelemetry or a similar program, or an event of a Chrome trace that has a duration. Times are in milliseconds since the epoch. */
export interface TraceSpan {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly about: GenAi;
  /** The attributes of a span that is none of the agent's work, for its record. */
  readonly data: unknown;
  /** Why it failed; empty if it doesn't say. */
  readonly error: string | undefined;
  /** HTTP status of the answer. */
  readonly status: number | undefined;
  /** The program that wrote it. */
  readonly service: string | undefined;
  readonly raw: string;
}

/** What the formats of spans say, each by its own names. */
export interface SpanDraft extends Pick<TraceSpan, 'traceId' | 'id' | 'parentId' | 'name' | 'startedAt' | 'endedAt'> {
  readonly attributes: JsonObject;
  readonly error?: string | undefined;
  readonly service: string | undefined;
  /** The span as it was written. */
  readonly written: JsonObject;
  /** The events of the span. */
  readonly events?: unknown;
}

/** How much of one of the many spans in a line is kept, in characters. */
export const maxRaw = 16_384;
const maxError = 4000;
const maxId = 200;
const maxEvents = 1000;

export function traceSpan({ attributes, written, events, ...draft }: SpanDraft): TraceSpan {
  const { name, startedAt, endedAt, traceId, id, parentId, error } = draft;
  const content = arrayOf(events)
    .slice(0, maxEvents)
    .map(objectOf)
    .flatMap((event) => spanEventContent(event) ?? []);
  const about = withContent(genAiOf(attributes, name), content);
  return {
    ...draft,
    traceId: traceIdIn(traceId).slice(0, maxId),
    id: traceIdIn(id).slice(0, maxId),
    parentId: parentId === undefined ? undefined : traceIdIn(parentId).slice(0, maxId),
    name: ownHead(name, maxError),
    endedAt: Math.max(startedAt, endedAt),
    about,
    data: about.role === 'other' && Object.keys(attributes).length > 0 ? boundedData(attributes) : undefined,
    error: error === undefined ? undefined : ownHead(error, maxError),
    status: numberOf(attributes['http.response.status_code'] ?? attributes['http.status_code']),
    raw: boundedJson(written, maxRaw),
  };
}

/** True if it is an `ExportTraceServiceRequest` (OTLP/JSON), even if its line was cut; Grafana Tempo calls its list `batches`. */
export function isOtlpTrace(msg: JsonObject): boolean {
  return Array.isArray(messageFields(msg)['resourceSpans']) || isTempo(msg);
}

function isTempo({ batches }: JsonObject): boolean {
  const first = messageFields(arrayOf(batches)[0]);
  return 'scopeSpans' in first || 'instrumentationLibrarySpans' in first;
}

/** The spans of an export request. */
export function otlpSpans(msg: JsonObject): TraceSpan[] {
  const spans: TraceSpan[] = [];
  const request = messageFields(msg);
  for (const group of arrayOf(request['resourceSpans'] ?? request['batches']).map(messageFields)) {
    const service = serviceIn(plainAttributes(objectOf(group['resource'])['attributes']));
    for (const scope of arrayOf(group['scopeSpans'] ?? group['instrumentationLibrarySpans']).map(objectOf)) {
      for (const span of arrayOf(scope['spans'])) spans.push(otlpSpan(objectOf(span), service));
    }
  }
  return spans;
}

export function serviceIn(attributes: JsonObject): string | undefined {
  return textOf(attributes['service.name'])?.slice(0, maxId);
}

function otlpSpan(written: JsonObject, service: string | undefined): TraceSpan {
  const span = messageFields(written);
  const attributes = plainAttributes(span['attributes']);
  const { events } = span;
  return traceSpan({
    traceId: textOf(span['traceId']) ?? '',
    id: textOf(span['spanId']) ?? '',
    parentId: textOf(span['parentSpanId']),
    name: textOf(span['name']) ?? 'span',
    startedAt: nanoseconds(span['startTimeUnixNano']),
    endedAt: nanoseconds(span['endTimeUnixNano']),
    attributes,
    error: spanError(objectOf(span['status']), attributes, events),
    service,
    written,
    events,
  });
}

/** Why a span failed, by its status, attributes and events. */
export function spanError(status: JsonObject, attributes: JsonObject, events: unknown): string | undefined {
  const code = status['code'] ?? status['status_code'];
  const type = textOf(attributes['error.type']);
  if (code !== 2 && code !== 'STATUS_CODE_ERROR' && code !== 'ERROR' && type === undefined) return undefined;
  const exception = arrayOf(events)
    .map(objectOf)
    .findLast(({ name }) => name === 'exception');
  const thrown = plainAttributes(exception?.['attributes'])['exception.message'];
  const message = status['message'] ?? status['description'];
  return textOf(thrown) ?? textOf(message) ?? (type === '_OTHER' ? '' : (type ?? ''));
}

function nanoseconds(value: unknown): number {
  return milliseconds(Number(typeof value === 'string' || typeof value === 'number' ? value : 0) / 1e6);
}

/** A time as whole milliseconds: fractions aren't exact at this size. 0 if it can't be one. */
export function milliseconds(time: number): number {
  return Number.isFinite(time) && time >= 0 && time <= 8.64e15 ? Math.round(time) : 0;
}
