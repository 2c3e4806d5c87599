import { boundedJson } from '../../log/boundedJson';
import { BoundedMap } from '../../log/boundedMap';
import type { JsonObject } from '../../log/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../log/json';
import { plainAttributes } from '../ndjson/otelLog';

/** A span of OpenTelemetry, or an event of a Chrome trace that has a duration. Times are in milliseconds since the epoch. */
export interface TraceSpan {
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: JsonObject;
  /** Why it failed; empty if it doesn't say. */
  readonly error: string | undefined;
  /** The program that wrote it. */
  readonly service: string | undefined;
  readonly raw: string;
}

/** How much of one of the many spans in a line is kept, in characters. */
export const maxRaw = 16_384;
const maxOpen = 1000;

/** True if it is an `ExportTraceServiceRequest` (OTLP/JSON), even if its line was cut. */
export function isOtlpTrace(msg: JsonObject): boolean {
  return Array.isArray(msg['resourceSpans']);
}

/** The spans of an export request. */
export function otlpSpans(msg: JsonObject): TraceSpan[] {
  const spans: TraceSpan[] = [];
  for (const group of arrayOf(msg['resourceSpans']).map(objectOf)) {
    const service = textOf(plainAttributes(objectOf(group['resource'])['attributes'])['service.name']);
    for (const scope of arrayOf(group['scopeSpans']).map(objectOf)) {
      for (const span of arrayOf(scope['spans'])) spans.push(otlpSpan(objectOf(span), service));
    }
  }
  return spans;
}

function otlpSpan(span: JsonObject, service: string | undefined): TraceSpan {
  const startedAt = nanoseconds(span['startTimeUnixNano']);
  const attributes = plainAttributes(span['attributes']);
  return {
    traceId: textOf(span['traceId']) ?? '',
    id: textOf(span['spanId']) ?? '',
    parentId: textOf(span['parentSpanId']),
    name: textOf(span['name']) ?? 'span',
    startedAt,
    endedAt: Math.max(startedAt, nanoseconds(span['endTimeUnixNano'])),
    attributes,
    error: errorOf(span, attributes),
    service,
    raw: boundedJson(span, maxRaw),
  };
}

function errorOf(span: JsonObject, attributes: JsonObject): string | undefined {
  const { code, message } = objectOf(span['status']);
  const type = textOf(attributes['error.type']);
  if (code !== 2 && code !== 'STATUS_CODE_ERROR' && type === undefined) return undefined;
  const exception = arrayOf(span['events'])
    .map(objectOf)
    .findLast(({ name }) => name === 'exception');
  const thrown = plainAttributes(exception?.['attributes'])['exception.message'];
  return textOf(thrown) ?? textOf(message) ?? (type === '_OTHER' ? '' : (type ?? ''));
}

function nanoseconds(value: unknown): number {
  const number = Number(typeof value === 'string' || typeof value === 'number' ? value : 0) / 1e6;
  // Fractions aren't exact at this size.
  return Number.isFinite(number) && number >= 0 && number <= 8.64e15 ? Math.round(number) : 0;
}

/** The events of a Chrome trace: one event, or a whole file. `undefined` if it is neither. */
export function chromeEventsOf(msg: JsonObject): readonly JsonObject[] | undefined {
  if (Array.isArray(msg['traceEvents'])) return msg['traceEvents'].filter(isObject);
  return isChromeEvent(msg) ? [msg] : undefined;
}

function isChromeEvent(msg: JsonObject): boolean {
  const { ph, ts, name } = msg;
  return typeof ph === 'string' && ph.length === 1 && (typeof ts === 'number' || (ph === 'M' && name !== undefined));
}

/** Makes spans from the events of a Chrome trace (Trace Event Format), whose times are in microseconds. */
export class ChromeSpans {
  private readonly threads = new BoundedMap<string, string>(maxOpen);
  private readonly processes = new BoundedMap<string, string>(maxOpen);
  private readonly open = new BoundedMap<string, JsonObject[]>(maxOpen);
  private count = 0;

  /** A span that ends with this event, `named` if it only names a thread or starts a span, or `other`. */
  read(event: JsonObject): TraceSpan | 'named' | 'other' {
    const { ph, name, args, pid, tid, ts, dur } = event;
    const process = String(numberOf(pid) ?? 0);
    const thread = `${process}/${String(numberOf(tid) ?? textOf(tid) ?? 0)}`;
    const start = (numberOf(ts) ?? 0) / 1000;
    switch (ph) {
      case 'M': {
        const label = textOf(objectOf(args)['name']);
        if (name === 'thread_name' && label !== undefined) this.threads.set(thread, label);
        else if (name === 'process_name' && label !== undefined) this.processes.set(process, label);
        else return name === 'thread_sort_index' ? 'named' : 'other';
        return 'named';
      }
      case 'X':
        return this.span(event, thread, start, start + (numberOf(dur) ?? 0) / 1000);
      case 'B': {
        const stack = this.open.get(thread) ?? [];
        if (stack.length >= maxOpen) return 'other';
        this.open.set(thread, [...stack, event]);
        return 'named';
      }
      case 'E': {
        const stack = this.open.get(thread) ?? [];
        const begin = stack.at(-1);
        if (!begin) return 'other';
        this.open.set(thread, stack.slice(0, -1));
        const both = { ...event, ...begin, args: { ...objectOf(begin['args']), ...objectOf(args) } };
        return this.span(both, thread, (numberOf(begin['ts']) ?? 0) / 1000, start);
      }
      default:
        return 'other';
    }
  }

  /** The events whose ends never came. */
  takeOpen(): readonly JsonObject[] {
    const left = this.open.values().flat();
    this.open.clear();
    return left;
  }

  private span(event: JsonObject, thread: string, startedAt: number, endedAt: number): TraceSpan {
    const [process = ''] = thread.split('/');
    // Our own export has more threads for what a session does in parallel: `session 12345678 (2)`.
    const label = this.threads.get(thread) ?? `thread ${thread}`;
    const lane = /^session [\w-]{1,8} \(\d+\)$/.test(label) ? label.slice(0, label.indexOf(' (')) : label;
    const args = objectOf(event['args']);
    const own = textOf(event['cat']);
    const isOwn = typeof args['records'] === 'string' && args['outcome'] !== undefined;
    const outcome = textOf(args['outcome']);
    return {
      traceId: `${process} ${lane}`,
      id: `event-${++this.count}`,
      parentId: undefined,
      name: textOf(event['name']) ?? 'event',
      startedAt,
      endedAt: Math.max(startedAt, endedAt),
      attributes: isOwn ? ownAttributes(args, own, lane) : args,
      error: isOwn && outcome === 'error' ? (textOf(args['detail']) ?? '') : undefined,
      service: this.processes.get(process),
      raw: boundedJson(event, maxRaw),
    };
  }
}

/** What our own export says, by the names of its other format. */
function ownAttributes(args: JsonObject, kind: string | undefined, lane: string): JsonObject {
  return {
    'agent_logs.kind': kind,
    'agent_logs.outcome': args['outcome'],
    'agent_logs.title': true,
    'agent_logs.usage': args['usage'],
    'gen_ai.conversation.id': lane.replace(/^session /, ''),
    'gen_ai.request.model': args['model'],
    'gen_ai.tool.name': args['tool'],
    'gen_ai.tool.call.id': args['call'],
  };
}
