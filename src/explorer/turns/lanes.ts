import { BoundedMap } from '../../text/boundedMap';
import type { Level } from '../../text/level';
import { shownLine } from '../../text/text';
import type { Translator } from '../../text/translator';
import type { JoinedBy } from '../../timeline/joins/call';
import type { Span } from '../../timeline/span';
import { endOf } from '../../timeline/span';
import type { FarEnd } from '../../runLog/joins/joinedRun';
import { isServer } from '../../runLog/joins/joinedRun';

/** What is shown of a request, and how many of its records are looked at. */
const maxParts = 50;
const maxLooked = 500;
/** The requests of the newest calls have parts. */
const maxRequests = 500;
const maxCached = 1000;
const maxText = 300;

export type LaneKind = 'mcp' | 'progress' | 'log' | 'stderr';

/** What a row is below a tool call, from the run of the MCP server that it went to. */
export interface Lane {
  readonly kind: LaneKind;
  readonly run: FarEnd['run'];
  /** The first of its records in that run. */
  readonly seq: number;
  readonly by: JoinedBy;
  readonly level: Level;
}

/** A span of the run, or a lane below one. */
export type ShownSpan = Span & { readonly lane?: Lane };

/** Makes lanes of the requests that tool calls caused. */
export class Lanes {
  /** Parts of requests that are over, by the ID of their row. */
  private readonly over = new BoundedMap<string, readonly ShownSpan[]>(maxCached);

  constructor(private readonly l10n: Translator) {}

  /**
   * The spans, with the requests and what happened during them below the calls that caused them.
   * @param now the end of what is open, in milliseconds since the epoch
   */
  below(spans: readonly Span[], ends: ReadonlyMap<string, readonly FarEnd[]>, now: number): readonly ShownSpan[] {
    // A server's request has its caller at the other end.
    const requestsOf = ({ id }: Span): readonly FarEnd[] => (ends.get(id) ?? []).filter(({ run }) => isServer(run));
    if (ends.size === 0) return spans;
    let room = maxRequests;
    const withParts = new Set<string>();
    for (const span of [...spans].reverse()) {
      room -= requestsOf(span).length;
      if (room < 0) break;
      withParts.add(span.id);
    }
    return spans.flatMap((span) => [
      span,
      ...requestsOf(span).flatMap((end, index) => {
        const request = requestLane(span, end, index);
        return [request, ...(withParts.has(span.id) ? this.partsOf(request, end, now) : [])];
      }),
    ]);
  }

  private partsOf(request: ShownSpan, end: FarEnd, now: number): readonly ShownSpan[] {
    const key = `${end.run.id} ${request.id} ${end.by}`;
    const known = this.over.get(key);
    if (known) return known;
    const parts = this.parts(request, end, now);
    if (end.span.endedAt !== undefined) this.over.set(key, parts);
    return parts;
  }

  private parts(request: ShownSpan, { run, span, by }: FarEnd, now: number): readonly ShownSpan[] {
    const { firstSeq, lastSeq, callId = '' } = span;
    const { log } = run;
    const to = span.endedAt === undefined ? log.lastSeq : lastSeq;
    const found: ShownSpan[] = [];
    const point = (kind: LaneKind, id: string, at: number, seq: number, title: string, level: Level): void => {
      const { sessionId } = request;
      found.push({
        id: `${request.id}/${id}`,
        parent: request.id,
        ...(sessionId !== undefined && { sessionId }),
        kind: 'span',
        title,
        startedAt: at,
        endedAt: at,
        outcome: 'ok',
        firstSeq: seq,
        lastSeq: seq,
        lane: { kind, run, seq, by, level },
      });
    };
    let more = 0;
    for (let seq = firstSeq; seq <= Math.min(to, firstSeq + maxLooked); seq++) {
      const record = log.store.get(seq);
      if (record?.kind !== 'log' && record?.kind !== 'stderr') continue;
      const { kind, message, level, receivedAt } = record;
      if (found.length < maxParts) point(kind, `r${seq}`, receivedAt, seq, shownLine(message, maxText), level);
      else more++;
    }
    more += Math.max(0, to - firstSeq - maxLooked);
    const reports = log.progress.of(callId);
    const during = reports.kept.filter(({ at }) => at >= span.startedAt && at <= endOf(span, now));
    for (const [index, report] of during.slice(0, maxParts).entries()) {
      point('progress', `p${index}`, report.at, report.seq, this.progressText(report), 'info');
    }
    more += Math.max(0, during.length - maxParts, reports.count - reports.kept.length);
    found.sort((a, b) => a.startedAt - b.startedAt || a.firstSeq - b.firstSeq);
    const last = found.at(-1);
    if (more > 0 && last) point('log', 'more', last.startedAt, last.firstSeq, this.l10n.t('{0} more', more), 'info');
    return found;
  }

  private progressText(report: {
    readonly progress: number;
    readonly total: number | undefined;
    readonly message: string | undefined;
  }): string {
    const { progress, total, message = '' } = report;
    const count = total === undefined ? String(progress) : this.l10n.t('{0} of {1}', progress, total);
    return message === '' ? count : `${count}: ${message}`;
  }
}

function requestLane(call: Span, { run, span, by }: FarEnd, index: number): ShownSpan {
  const { startedAt, endedAt, outcome, detail, firstSeq, lastSeq, toolName, title } = span;
  const { sessionId } = call;
  return {
    id: `${call.id}/${index}`,
    parent: call.id,
    ...(sessionId !== undefined && { sessionId }),
    kind: 'request',
    title: `${shownLine(run.name, 60)} · ${toolName ?? title}`,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(outcome !== undefined && { outcome }),
    ...(detail !== undefined && { detail }),
    firstSeq,
    lastSeq,
    lane: { kind: 'mcp', run, seq: firstSeq, by, level: 'info' },
  };
}
