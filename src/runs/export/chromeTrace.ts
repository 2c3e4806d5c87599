import { shortId } from '../../log/sessionLabel';
import { inLine, plainText } from '../../log/text';
import type { Span } from '../../timeline/span';
import { endOf } from '../../timeline/span';

/** The spans of a run. */
export interface RunTrace {
  readonly runId: string;
  /** The agent. */
  readonly name: string;
  /** In order of their start. */
  readonly spans: readonly Span[];
  /** Spans that haven't ended are written as if they ended now. Milliseconds since the epoch. */
  readonly now: number;
}

/** A complete event (`X`) or metadata (`M`) of the Trace Event Format. Times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: 'X' | 'M';
  readonly pid: number;
  readonly tid: number;
  readonly cat?: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A row of the trace viewer. */
interface Lane {
  readonly tid: number;
  /** Ends of the spans that are open in it, innermost last. */
  readonly ends: number[];
}

const pid = 1;

/**
 * Chrome's Trace Event Format. Viewers require the events of a thread to nest, so overlapping ones, such as parallel tool calls, get additional threads
 * of their session.
 */
export function chromeTrace({ runId, name, spans, now }: RunTrace): string {
  const events: TraceEvent[] = [{ name: 'process_name', ph: 'M', pid, tid: 0, args: { name: inLine(name) } }];
  const lanes = new Map<string | undefined, Lane[]>();
  let tids = 0;
  for (const span of inNestingOrder(spans, now)) {
    const { sessionId, startedAt } = span;
    const end = endOf(span, now);
    const ofSession = lanes.get(sessionId) ?? [];
    lanes.set(sessionId, ofSession);
    let lane = ofSession.find((one) => fits(one, startedAt, end));
    if (!lane) {
      ofSession.push((lane = { tid: ++tids, ends: [] }));
      events.push(threadName(lane.tid, sessionId, ofSession.length), threadOrder(lane.tid));
    }
    lane.ends.push(end);
    events.push(completeEvent(span, lane.tid, end));
  }
  return `${JSON.stringify({ traceEvents: events, displayTimeUnit: 'ms', otherData: { run: runId } })}\n`;
}

/** Sorts spans so that the enclosing ones come first. */
function inNestingOrder(spans: readonly Span[], now: number): readonly Span[] {
  return [...spans].sort((a, b) => a.startedAt - b.startedAt || endOf(b, now) - endOf(a, now));
}

/** True if a span nests in the open spans of a lane. Closes those that ended before it. */
function fits({ ends }: Lane, start: number, end: number): boolean {
  while ((ends.at(-1) ?? Infinity) <= start) ends.pop();
  return (ends.at(-1) ?? Infinity) >= end;
}

function completeEvent(span: Span, tid: number, end: number): TraceEvent {
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

function threadName(tid: number, sessionId: string | undefined, number: number): TraceEvent {
  const session = sessionId === undefined ? 'connection' : `session ${shortId(sessionId)}`;
  return { name: 'thread_name', ph: 'M', pid, tid, args: { name: number === 1 ? session : `${session} (${number})` } };
}

function threadOrder(tid: number): TraceEvent {
  return { name: 'thread_sort_index', ph: 'M', pid, tid, args: { sort_index: tid } };
}
