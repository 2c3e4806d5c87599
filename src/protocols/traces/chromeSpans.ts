import { BoundedMap } from '../../text/boundedMap';
import type { JsonObject } from '../../text/json';
import { isObject, numberOf, objectOf, textOf } from '../../text/json';
import type { TraceSpan } from './traceSpan';
import { traceSpan } from './traceSpan';

const maxOpen = 1000;
/** Before this no trace was written: earlier times count from a start. The year 2000. */
export const firstTime = 946_684_800_000;

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
    const process = String(numberOf(pid) ?? textOf(pid)?.slice(0, 100) ?? 0);
    const own = `${process}/${String(numberOf(tid) ?? textOf(tid)?.slice(0, 100) ?? 0)}`;
    const start = (numberOf(ts) ?? 0) / 1000;
    switch (ph) {
      case 'M': {
        const label = textOf(objectOf(args)['name'])?.slice(0, 200);
        if (name === 'thread_name' && label !== undefined) this.threads.set(own, label);
        else if (name === 'process_name' && label !== undefined) this.processes.set(process, label);
        else return 'other';
        return 'named';
      }
      case 'X':
        return this.span(event, process, own, start, start + (numberOf(dur) ?? 0) / 1000);
      case 'B':
      case 'E':
        return this.paired(event, process, own, ph === 'B', start);
      case 'b':
      case 'e': {
        const { id, id2, cat } = event;
        const given = id ?? objectOf(id2)['local'] ?? objectOf(id2)['global'];
        const key = `${process}/${String(numberOf(given) ?? textOf(given)?.slice(0, 100) ?? '')} ${textOf(cat) ?? ''}`;
        return this.paired(event, process, key.slice(0, 300), ph === 'b', start);
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

  private paired(
    event: JsonObject,
    process: string,
    lane: string,
    isBegin: boolean,
    at: number,
  ): TraceSpan | 'named' | 'other' {
    const stack = this.open.get(lane);
    if (isBegin) {
      if (stack && stack.length >= maxOpen) return 'other';
      if (stack) stack.push(event);
      else this.open.set(lane, [event]);
      return 'named';
    }
    const begin = stack?.pop();
    if (!begin) return 'other';
    if (stack?.length === 0) this.open.delete(lane);
    const both = { ...event, ...begin, args: { ...objectOf(begin['args']), ...objectOf(event['args']) } };
    return this.span(both, process, lane, (numberOf(begin['ts']) ?? 0) / 1000, at);
  }

  private span(event: JsonObject, process: string, key: string, startedAt: number, endedAt: number): TraceSpan {
    // Our own export has more threads for what a session does in parallel: `session 12345678 (2)`.
    const label = this.threads.get(key) ?? `thread ${key}`;
    const lane = /^session [\w-]{1,8} \(\d+\)$/.test(label) ? label.slice(0, label.indexOf(' (')) : label;
    const args = objectOf(event['args']);
    const kind = textOf(event['cat']);
    const isOwn = typeof args['records'] === 'string' && args['outcome'] !== undefined;
    const outcome = textOf(args['outcome']);
    return traceSpan({
      traceId: `${process} ${lane}`,
      id: `event-${++this.count}`,
      parentId: undefined,
      name: textOf(event['name']) ?? 'event',
      startedAt,
      endedAt,
      attributes: isOwn ? ownAttributes(args, kind, lane) : args,
      error: isOwn && outcome === 'error' ? (textOf(args['detail']) ?? '') : undefined,
      service: this.processes.get(process),
      written: event,
    });
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
