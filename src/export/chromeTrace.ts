import { shortId } from '../text/sessionLabel';
import { inLine, plainText } from '../text/text';
import { Slices } from '../time/slices';
import type { Span } from '../timeline/span';
import { endOf } from '../timeline/span';
import type { JoinedBy } from '../timeline/joins/call';
import type { FarEnd } from '../runLog/joins/joinedRun';
import { isServer } from '../runLog/joins/joinedRun';

/** The spans of a run. */
export interface RunTrace {
  readonly runId: string;
  /** The agent. */
  readonly name: string;
  /** In order of their start. */
  readonly spans: readonly Span[];
  /** Spans that haven't ended are written as if they ended now. Milliseconds since the epoch. */
  readonly now: number;
  /** Requests to MCP servers that tool calls caused, or the calls that caused requests, by the ID of the span. */
  readonly ends?: ReadonlyMap<string, readonly FarEnd[]>;
}

/** A complete event (`X`), the start or the end of an arrow (`s`, `f`), or metadata (`M`) of the Trace Event Format. Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: 'X' | 'M' | 's' | 'f';
  readonly pid: number;
  readonly tid: number;
  readonly cat?: string;
  readonly ts?: number;
  readonly dur?: number;
  /** Of an arrow. */
  readonly id?: number;
  /** The arrow ends at the event around it. */
  readonly bp?: 'e';
  readonly args: Readonly<Record<string, unknown>>;
}

/** A row of the trace viewer. */
interface Lane {
  readonly tid: number;
  /** Ends of the spans that are open in it, innermost last. */
  readonly ends: number[];
}

/** Where a span is. */
interface Placed {
  readonly span: Span;
  readonly pid: number;
  readonly tid: number;
}

/**
 * Chrome's Trace Event Format. Viewers require the events of a thread to nest, so overlapping ones, such as parallel tool calls, get additional threads
 * of their session. The other ends of calls are in a process for each of their runs, with arrows from calls to requests.
 */
export async function chromeTrace({ runId, name, spans, now, ends = new Map() }: RunTrace): Promise<string> {
  const slices = new Slices();
  const own = new Process(1, 1, name);
  await own.add(spans, now, slices);
  const arrows: TraceEvent[] = [];
  const processes = [own];
  for (const [run, joins] of byRun(ends)) {
    const { pid, nextTid } = processes.at(-1) ?? own;
    const far = new Process(pid + 1, nextTid, run.name);
    await far.add([...new Map(joins.map(({ end }) => [end.span.id, end.span])).values()], now, slices);
    processes.push(far);
    for (const { id, end } of joins) {
      const [near, other] = [own.placed.get(id), far.placed.get(end.span.id)];
      if (!near || !other) continue;
      const [from, to] = isServer(run) ? [near, other] : [other, near];
      arrows.push(...arrow(from, to, { id: arrows.length / 2 + 1, by: end.by, now }));
    }
  }
  const events = [...processes.flatMap((process) => process.events), ...arrows];
  const texts = await slices.flatMap(events, (event) => JSON.stringify(event));
  return `{"traceEvents":[${texts.join(',')}],"displayTimeUnit":"ms","otherData":${JSON.stringify({ run: runId })}}\n`;
}

interface NearJoin {
  /** The span of the exported run. */
  readonly id: string;
  readonly end: FarEnd;
}

function byRun(ends: ReadonlyMap<string, readonly FarEnd[]>): ReadonlyMap<FarEnd['run'], readonly NearJoin[]> {
  const found = new Map<FarEnd['run'], NearJoin[]>();
  for (const [id, all] of ends) {
    for (const end of all) {
      const known = found.get(end.run);
      if (known) known.push({ id, end });
      else found.set(end.run, [{ id, end }]);
    }
  }
  return found;
}

/** A run in the trace viewer. */
class Process {
  readonly events: TraceEvent[];
  /** By the ID of the span. */
  readonly placed = new Map<string, Placed>();
  private readonly lanes = new Map<string | undefined, Lane[]>();

  constructor(
    readonly pid: number,
    public nextTid: number,
    name: string,
  ) {
    this.events = [{ name: 'process_name', ph: 'M', pid, tid: 0, args: { name: inLine(name) } }];
  }

  async add(spans: readonly Span[], now: number, slices: Slices): Promise<void> {
    const { pid, events, placed, lanes } = this;
    for (const span of await inNestingOrder(spans, now, slices)) {
      const { sessionId, startedAt } = span;
      const end = endOf(span, now);
      const ofSession = lanes.get(sessionId) ?? [];
      lanes.set(sessionId, ofSession);
      let lane = ofSession.find((one) => fits(one, startedAt, end));
      if (!lane) {
        ofSession.push((lane = { tid: this.nextTid++, ends: [] }));
        const { tid } = lane;
        events.push(threadName(pid, tid, sessionId, ofSession.length), threadOrder(pid, tid));
      }
      lane.ends.push(end);
      const { tid } = lane;
      placed.set(span.id, { span, pid, tid });
      events.push(completeEvent(span, { pid, tid }, end));
      if (slices.isSpent) await slices.next();
    }
  }
}

/** From a call to its request. Both ends have to be within their events. */
function arrow(
  from: Placed,
  to: Placed,
  { id, by, now }: { readonly id: number; readonly by: JoinedBy; readonly now: number },
): readonly TraceEvent[] {
  const { startedAt } = to.span;
  const leaves = Math.min(Math.max(startedAt, from.span.startedAt), endOf(from.span, now));
  const about = { name: 'tools/call', cat: 'mcp', id, args: { joined: by } } as const;
  return [
    { ...about, ph: 's', pid: from.pid, tid: from.tid, ts: Math.round(leaves * 1000) },
    { ...about, ph: 'f', bp: 'e', pid: to.pid, tid: to.tid, ts: Math.round(startedAt * 1000) },
  ];
}

/** Sorts spans so that the enclosing ones come first. */
function inNestingOrder(spans: readonly Span[], now: number, slices: Slices): Promise<readonly Span[]> {
  return slices.sorted(spans, (a, b) => a.startedAt - b.startedAt || endOf(b, now) - endOf(a, now));
}

/** True if a span nests in the open spans of a lane. Closes those that ended before it. */
function fits({ ends }: Lane, start: number, end: number): boolean {
  while ((ends.at(-1) ?? Infinity) <= start) ends.pop();
  return (ends.at(-1) ?? Infinity) >= end;
}

function completeEvent(span: Span, { pid, tid }: Pick<Placed, 'pid' | 'tid'>, end: number): TraceEvent {
  const {
    title,
    kind,
    startedAt,
    endedAt,
    outcome,
    detail,
    firstSeq,
    lastSeq,
    usage,
    toolName,
    callId,
    retries,
    model,
  } = span;
  return {
    name: inLine(title),
    cat: kind,
    ph: 'X',
    pid,
    tid,
    ts: Math.round(startedAt * 1000),
    dur: Math.round((end - startedAt) * 1000),
    args: {
      outcome: endedAt === undefined ? 'open' : (outcome ?? 'unknown'),
      detail: detail === undefined ? undefined : plainText(detail),
      records: `${firstSeq}..${lastSeq}`,
      tool: toolName,
      call: callId,
      model,
      retries,
      usage,
    },
  };
}

function threadName(pid: number, tid: number, sessionId: string | undefined, number: number): TraceEvent {
  const session = sessionId === undefined ? 'connection' : `session ${shortId(sessionId)}`;
  return { name: 'thread_name', ph: 'M', pid, tid, args: { name: number === 1 ? session : `${session} (${number})` } };
}

function threadOrder(pid: number, tid: number): TraceEvent {
  return { name: 'thread_sort_index', ph: 'M', pid, tid, args: { sort_index: tid } };
}
