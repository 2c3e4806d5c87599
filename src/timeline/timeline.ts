import { ownHead } from '../log/ownText';
import { oneLine } from '../log/text';
import type {
  CompactionFact,
  MessageFact,
  PermissionFact,
  RetryFact,
  SubagentFact,
  ToolFact,
  TurnFact,
} from '../protocols/activity/activity';
import { cancelOfParent, maxActivityId } from '../protocols/activity/activity';
import { BoundedMap } from '../protocols/boundedMap';
import type { Fact, ProcessFact, RequestFact } from '../protocols/facts';
import type { OpenRequest } from '../protocols/jsonrpc/requests';
import { isEnd } from '../protocols/lifecycle';
import type { SpanEnd } from './outcomes';
import { permissionEnd, requestEnd, toolEnd, turnEnd, workEnd } from './outcomes';
import type { Span, SpanKind, SpanQuery, TurnVerdict } from './span';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface OpenSpan {
  readonly span: Mutable<Span>;
  /** The client asked it to stop, or the person didn't allow it. */
  isUnwanted: boolean;
  /** What the agent said went wrong in the turn. */
  trouble?: string;
  /** The agent says that the whole turn failed. */
  hasFailed?: boolean;
}

/** A longer run forgets its oldest spans. Requests of a busy server must not drive out its turns. */
const maxSpans = 10_000;
const maxRequests = 5000;
const maxOpen = 1000;
const maxTitle = 300;
const maxName = 100;
const unknownPrompt = 'turn';
/** A subagent may go on behind the turn that started it. */
const outlives = new Set<SpanKind>(['turn', 'subagent']);
/** Requests whose work has a span of another kind. */
const ofOtherKinds = new Set(['session/prompt', 'session/request_permission', 'elicitation/create', 'tools/call']);

/** Makes spans of facts. A function of the facts so far: times are those of their lines. */
export class Timeline {
  /** In the order in which they began. */
  private readonly spans = new BoundedMap<string, Span>(maxSpans);
  private readonly requests = new BoundedMap<string, Span>(maxRequests);
  /** How the last turn of each session ended, as the diagnosis sees it. */
  private readonly verdicts = new BoundedMap<string, TurnVerdict>(maxOpen);
  private readonly open = new BoundedMap<string, OpenSpan>(maxOpen);
  private readonly endedTools = new BoundedMap<string, true>(maxOpen);
  /** The spans of subagents, by their session. */
  private readonly subagents = new BoundedMap<string, string>(maxOpen);
  private count = 0;
  private newest = 0;
  /** Turns and what is in them that were forgotten. */
  dropped = 0;

  /** @param seq the newest record when the fact's line had been read */
  see(fact: Fact, seq: number): void {
    this.newest = seq;
    switch (fact.type) {
      case 'request':
        return this.requested(fact, seq);
      case 'response':
        return fact.request && this.end(requestKeyOf(fact.request), fact.event.t, seq, requestEnd(fact));
      case 'closed':
        return this.end(requestKeyOf(fact.request), fact.event.t, seq, requestEnd(fact));
      case 'process':
        return this.ended(fact, seq);
      case 'turn':
        return this.seeTurn(fact, seq);
      case 'tool':
        return this.seeTool(fact, seq);
      case 'message':
        return fact.speaker === 'user' ? this.seePrompt(fact) : undefined;
      case 'retry':
        return this.seeRetry(fact);
      case 'permission':
        return this.seePermission(fact, seq);
      case 'subagent':
        return this.seeSubagent(fact, seq);
      case 'compaction':
        return this.seeCompaction(fact, seq);
      default:
    }
  }

  /** The diagnosis found a turn to have failed whose answer says that it hasn't. It may know before the turn's end is seen here. */
  judge(sessionId: string | undefined, verdict: TurnVerdict): void {
    if (this.verdicts.get(sessionId ?? '') === verdict) return;
    this.verdicts.set(sessionId ?? '', verdict);
    const turn = this.spans.findLast((span) => span.kind === 'turn' && span.sessionId === sessionId);
    if (turn) this.correct(turn);
  }

  /** The spans that match, in the order in which they began. */
  query({ sessionId, kinds, since, limit }: SpanQuery = {}): Span[] {
    const withRequests = kinds === undefined || kinds.includes('request');
    const works = this.spans.values();
    const all = withRequests ? [...works, ...this.requests.values()].sort((a, b) => numberOf(a) - numberOf(b)) : works;
    const found = all.filter(
      (span) =>
        (sessionId === undefined || span.sessionId === sessionId) &&
        (kinds === undefined || kinds.includes(span.kind)) &&
        (since === undefined || (span.endedAt ?? Infinity) >= since),
    );
    const newest = limit === undefined ? found : found.slice(Math.max(0, found.length - Math.max(0, limit)));
    return newest.map((span) => ({
      ...span,
      lastSeq: span.endedAt === undefined ? Math.max(this.newest, span.firstSeq) : span.lastSeq,
      ...(span.usage && { usage: { ...span.usage } }),
    }));
  }

  /** Forgets the spans that have ended. */
  clear(): void {
    for (const spans of [this.spans, this.requests]) {
      for (const span of spans.values()) if (span.endedAt !== undefined) spans.delete(span.id);
    }
  }

  private requested({ request, event: { t } }: RequestFact, seq: number): void {
    const { method, sessionId, direction } = request;
    if (ofOtherKinds.has(method)) return;
    const parent = direction === 'in' ? this.aboveIn(sessionId) : undefined;
    this.begin(requestKeyOf(request), 'request', { sessionId, title: method, startedAt: t, parent }, seq);
  }

  private seeTurn(fact: TurnFact, seq: number): void {
    const { sessionId } = fact;
    const key = keyOf('turn', sessionId, '');
    const turn = this.open.get(key);
    switch (fact.change) {
      case 'started': {
        const { startedAt, prompt } = fact;
        const opened = this.begin(
          key,
          'turn',
          { sessionId, title: prompt === '' ? unknownPrompt : prompt, startedAt, parent: this.subagentOf(sessionId) },
          seq,
        );
        opened.isUnwanted = fact.cancel !== undefined;
        return;
      }
      case 'resumed':
        return this.resume(key, sessionId);
      case 'dropped':
        this.open.delete(key);
        return turn && this.spans.delete(turn.span.id);
      case 'cancelled':
        if (turn && fact.method !== cancelOfParent) turn.isUnwanted = true;
        return;
      case 'closing':
        return;
      case 'ended':
        if (turn && fact.usage) turn.span.usage = fact.usage;
        if (turn && fact.stopReason === 'cancelled') turn.isUnwanted = true;
        this.endParts(turn, fact.endedAt, seq);
        this.end(key, fact.endedAt, seq, turnEnd(fact, turn));
        return turn && this.correct(turn.span);
    }
  }

  /** Some agents repeat the prompt, which else only their input has. */
  private seePrompt({ sessionId, text }: MessageFact): void {
    const turn = this.turnOf(sessionId)?.span;
    if (turn?.title === unknownPrompt && text !== '') turn.title = oneLine(text, maxTitle);
  }

  private seeRetry({ sessionId, change, message, details, isOfTurn }: RetryFact): void {
    const turn = this.turnOf(sessionId);
    if (!turn) return;
    if (change === 'retrying') turn.span.retries = (turn.span.retries ?? 0) + 1;
    const trouble = details ?? message;
    if (trouble !== undefined) turn.trouble = ownHead(trouble, maxTitle);
    if (change === 'gave-up' && isOfTurn === true) turn.hasFailed = true;
  }

  /** What a turn has left open ended with it. */
  private endParts(turn: OpenSpan | undefined, t: number, seq: number): void {
    if (!turn) return;
    for (const key of this.open.keys()) {
      const part = this.open.get(key)?.span;
      const ends = part?.parent !== undefined && part.sessionId === turn.span.sessionId && !outlives.has(part.kind);
      if (ends) this.end(key, t, seq, { outcome: turn.isUnwanted ? 'cancelled' : 'unanswered' });
    }
  }

  private resume(key: string, sessionId: string | undefined): void {
    const last = this.spans.findLast((span) => span.kind === 'turn' && span.sessionId === sessionId);
    if (!last) return;
    const { endedAt: _endedAt, outcome: _outcome, detail: _detail, ...span } = last;
    this.spans.update(span.id, span);
    this.open.set(key, { span, isUnwanted: false });
  }

  private seeTool(fact: ToolFact, seq: number): void {
    const { sessionId, event, id, change, took = 0 } = fact;
    const key = keyOf('tool', sessionId, id ?? `of ${event.t}`);
    const known = this.open.get(key);
    const title = fact.title ?? fact.command ?? fact.name;
    if (known && fact.title !== undefined) known.span.title = oneLine(fact.title, maxTitle);
    // The same end may be sent twice.
    const isRepeated = change === 'ended' && this.endedTools.has(key);
    if (!known && !isRepeated && (change === 'running' || change === 'ended')) {
      const parent = this.aboveIn(sessionId);
      const begun = this.begin(
        key,
        'tool',
        { sessionId, title: title ?? 'a tool', startedAt: event.t - took, parent },
        seq,
      );
      if (id !== undefined) begun.span.callId = id;
      this.endedTools.delete(key);
    }
    const tool = this.open.get(key)?.span;
    if (tool && fact.name !== undefined) tool.toolName ??= oneLine(fact.name, maxName);
    if (change !== 'ended') return;
    this.endedTools.set(key, true);
    this.end(key, event.t, seq, toolEnd(fact, known?.isUnwanted ?? false));
  }

  private seePermission(fact: PermissionFact, seq: number): void {
    const { sessionId, event, id, toolId, title } = fact;
    const key = keyOf('permission', sessionId, id);
    const tool = toolId === undefined ? undefined : this.open.get(keyOf('tool', sessionId, toolId));
    if (fact.change === 'asked') {
      const parent = tool?.span.id ?? this.aboveIn(sessionId);
      this.begin(
        key,
        'permission',
        { sessionId, title: title ?? tool?.span.title ?? fact.asking, startedAt: event.t, parent },
        seq,
      );
      return;
    }
    const asked = this.open.get(key)?.span;
    const asking = [...this.open.values()].find(({ span }) => span.id === asked?.parent && span.kind === 'tool');
    if (asking && fact.outcome === 'refused') asking.isUnwanted = true;
    this.end(key, event.t, seq, permissionEnd(fact));
  }

  private seeSubagent({ sessionId, event, id, title, change, outcome }: SubagentFact, seq: number): void {
    const key = keyOf('subagent', sessionId, id);
    if (change === 'ended') return this.end(key, event.t, seq, workEnd(outcome));
    if (change === 'refused' || this.open.has(key)) return;
    const parent = this.aboveIn(sessionId);
    const { span } = this.begin(key, 'subagent', { sessionId, title: title ?? id, startedAt: event.t, parent }, seq);
    this.subagents.set(id, span.id);
  }

  private seeCompaction({ sessionId, event, change, isFailed, isCancelled }: CompactionFact, seq: number): void {
    const key = keyOf('compaction', sessionId, '');
    if (change === 'ended') {
      return this.end(
        key,
        event.t,
        seq,
        workEnd(isFailed ? 'failed' : isCancelled === true ? 'cancelled' : 'completed'),
      );
    }
    if (this.open.has(key)) return;
    const parent = this.aboveIn(sessionId);
    this.begin(key, 'compaction', { sessionId, title: 'compaction', startedAt: event.t, parent }, seq);
  }

  /** Nothing can end any more in another way. */
  private ended({ event }: ProcessFact, seq: number): void {
    if (!isEnd(event)) return;
    for (const key of this.open.keys()) this.end(key, event.t, seq, { outcome: 'unanswered' });
  }

  private begin(
    key: string,
    kind: SpanKind,
    about: { sessionId: string | undefined; title: string; startedAt: number; parent: string | undefined },
    seq: number,
  ): OpenSpan {
    const { sessionId, title, startedAt, parent } = about;
    const span: Mutable<Span> = {
      id: `${kind}-${++this.count}`,
      ...(parent !== undefined && { parent }),
      ...(sessionId !== undefined && { sessionId }),
      kind,
      title: oneLine(title, maxTitle),
      startedAt,
      firstSeq: seq,
      lastSeq: seq,
    };
    this.end(key, startedAt, seq, { outcome: 'unanswered' });
    const opened = { span, isUnwanted: false };
    if (kind === 'request') this.requests.set(span.id, span);
    else if (this.spans.set(span.id, span)) this.dropped++;
    this.open.set(key, opened);
    return opened;
  }

  private end(key: string, t: number, seq: number, { outcome, detail }: SpanEnd): void {
    const known = this.open.get(key);
    if (!known) return;
    this.open.delete(key);
    const { span } = known;
    // Clocks are set back now and then.
    span.endedAt = Math.max(t, span.startedAt);
    span.lastSeq = Math.max(seq, span.firstSeq);
    if (outcome !== undefined) span.outcome = outcome;
    if (detail !== undefined) span.detail = detail;
  }

  /** The span that a part of the session's work belongs to. */
  private aboveIn(sessionId: string | undefined): string | undefined {
    return this.turnOf(sessionId)?.span.id ?? this.subagentOf(sessionId);
  }

  /** The span of the subagent that a session belongs to. */
  private subagentOf(sessionId: string | undefined): string | undefined {
    const id = sessionId === undefined ? undefined : this.subagents.get(sessionId.slice(0, maxActivityId));
    return id !== undefined && this.spans.has(id) ? id : undefined;
  }

  private correct(turn: Mutable<Span>): void {
    const verdict = this.verdicts.get(turn.sessionId ?? '');
    if (turn.outcome !== 'ok' || !verdict || verdict.at !== turn.endedAt) return;
    const isFailed = verdict.outcome === 'failed' || verdict.outcome === 'cut-short';
    if (!isFailed && verdict.outcome !== 'unanswered') return;
    turn.outcome = isFailed ? 'error' : 'unanswered';
    const words = verdict.cause ?? verdict.why;
    if (words !== undefined) turn.detail = oneLine(words, maxTitle);
  }

  private turnOf(sessionId: string | undefined): OpenSpan | undefined {
    return this.open.get(keyOf('turn', sessionId, ''));
  }
}

/** Spans are numbered in the order in which they began. */
function numberOf({ id }: Span): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

function keyOf(kind: Exclude<SpanKind, 'request'>, sessionId: string | undefined, id: string): string {
  return `${kind} ${sessionId ?? ''} ${id}`;
}

function requestKeyOf({ direction, id }: OpenRequest): string {
  return `request ${direction} ${typeof id} ${ownHead(String(id), maxTitle)}`;
}
