import { ownHead } from '../log/ownText';
import { oneLine } from '../log/text';
import type {
  CompactionFact,
  MessageFact,
  ModelFact,
  PermissionFact,
  RetryFact,
  SubagentFact,
  ToolFact,
  TurnFact,
} from '../protocols/activity/activity';
import { cancelOfParent, maxActivityId } from '../protocols/activity/activity';
import { BoundedMap } from '../protocols/boundedMap';
import type { Fact, ProcessFact, RequestFact } from '../protocols/facts';
import { objectOf } from '../protocols/json';
import { isEnd } from '../protocols/lifecycle';
import type { SpanEnd } from './outcomes';
import { permissionEnd, requestEnd, toolEnd, turnEnd, verdictEnd, workEnd } from './outcomes';
import type { Span, SpanKind, SpanQuery, TurnVerdict } from './span';
import { joinTrace, keyOf, requestKeyOf } from './spanKey';
import { SpanTable } from './spanTable';
import type { TurnSummary } from './turnSummary';
import { summarizeTurn } from './turnSummary';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface OpenSpan {
  readonly span: Mutable<Span>;
  /** The client asked to cancel it, or the user denied permission. */
  isUnwanted: boolean;
  /** An error that the agent reported during the turn. */
  trouble?: string;
  /** The agent reported that the whole turn failed. */
  hasFailed?: boolean;
}

const maxOpen = 1000;
const maxTitle = 300;
const maxName = 100;
const unknownPrompt = 'turn';
/** Subagents may continue after the turn that started them. */
const outlives = new Set<SpanKind>(['turn', 'subagent']);
/** Requests whose work is a span of another kind. */
const ofOtherKinds = new Set(['session/prompt', 'session/request_permission', 'elicitation/create', 'tools/call']);

/** Builds spans from facts. Deterministic: all times come from the lines. */
export class Timeline {
  private readonly spans = new SpanTable();
  /** The diagnosis of the last turn of each session. */
  private readonly verdicts = new BoundedMap<string, TurnVerdict>(maxOpen);
  private readonly open = new BoundedMap<string, OpenSpan>(maxOpen);
  private readonly endedTools = new BoundedMap<string, true>(maxOpen);
  /** Subagents' spans, by session. */
  private readonly subagents = new BoundedMap<string, string>(maxOpen);
  /** The turn that ended last in each session. */
  private readonly lastTurns = new BoundedMap<string, Span>(maxOpen);
  /** Turns that were given up, and may be resumed: their end isn't reported yet. */
  private readonly givenUp = new BoundedMap<string, Span>(maxOpen);
  private count = 0;
  private newest = 0;

  /** @param ended called once for each span that ends; the diagnosis of the same line may still correct it */
  constructor(private readonly ended: (span: Span) => void = () => undefined) {}

  /** @param seq the newest record after reading the fact's line */
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
        return this.processChanged(fact, seq);
      case 'turn':
        return this.seeTurn(fact, seq);
      case 'tool':
        return this.seeTool(fact, seq);
      case 'message':
        return fact.speaker === 'user' ? this.seePrompt(fact) : undefined;
      case 'retry':
        return this.seeRetry(fact);
      case 'model':
        return this.seeModel(fact);
      case 'permission':
        return this.seePermission(fact, seq);
      case 'subagent':
        return this.seeSubagent(fact, seq);
      case 'compaction':
        return this.seeCompaction(fact, seq);
      default:
    }
  }

  /** Marks a turn as failed although its answer doesn't say so. May be called before `see` gets the turn's end. */
  judge(sessionId: string | undefined, verdict: TurnVerdict): void {
    if (this.verdicts.get(sessionId ?? '') === verdict) return;
    this.verdicts.set(sessionId ?? '', verdict);
    const turn = this.spans.lastTurn(sessionId);
    if (turn) this.correct(turn);
  }

  /** The matching spans, in order of their start. */
  query(query: SpanQuery = {}): Span[] {
    return this.spans.query(query).map((span) => ({
      ...span,
      lastSeq: span.endedAt === undefined ? Math.max(this.newest, span.firstSeq) : span.lastSeq,
      ...(span.usage && { usage: { ...span.usage } }),
    }));
  }

  /** Number of evicted turns and parts of turns. */
  get dropped(): number {
    return this.spans.dropped;
  }

  get(id: string): Span | undefined {
    return this.spans.get(id);
  }

  /** The turn of a session that a record belongs to, if it is the current or the last one. */
  turnAt(sessionId: string | undefined, seq: number): Span | undefined {
    const turn = this.turnOf(sessionId)?.span;
    if (turn && seq >= turn.firstSeq) return turn;
    const last = this.lastTurns.get(sessionId ?? '');
    return last && seq >= last.firstSeq && seq <= last.lastSeq ? last : undefined;
  }

  /** Summarizes the current or the last turn of a session. */
  summarize(sessionId: string | undefined, now: number): TurnSummary | undefined {
    const turn = this.turnOf(sessionId)?.span ?? this.lastTurns.get(sessionId ?? '');
    return turn && this.spans.get(turn.id) ? summarizeTurn(turn, this.spans.partsOf(turn), now) : undefined;
  }

  /** Removes spans that have ended. */
  clear(): void {
    this.spans.clear();
  }

  private requested({ request, params, event: { t } }: RequestFact, seq: number): void {
    const { method, sessionId, direction } = request;
    if (ofOtherKinds.has(method)) return;
    const parent = direction === 'in' ? this.aboveIn(sessionId) : undefined;
    const about = { sessionId, title: method, startedAt: t, parent };
    joinTrace(this.begin(requestKeyOf(request), 'request', about, seq).span, params);
  }

  private seeTurn(fact: TurnFact, seq: number): void {
    const { sessionId } = fact;
    const key = keyOf('turn', sessionId, '');
    const turn = this.open.get(key);
    switch (fact.change) {
      case 'started': {
        const { startedAt, prompt } = fact;
        const title = prompt === '' ? unknownPrompt : prompt;
        const about = { sessionId, title, startedAt, parent: this.subagentOf(sessionId) };
        const opened = this.begin(key, 'turn', about, seq);
        opened.isUnwanted = fact.cancel !== undefined;
        this.reportGivenUp(sessionId ?? '');
        joinTrace(opened.span, objectOf(objectOf(fact.event.msg)['params']));
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

  /** Takes the prompt from agents that echo it. */
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

  private seeModel({ sessionId, to }: ModelFact): void {
    const turn = this.turnOf(sessionId)?.span;
    if (turn && to !== undefined) turn.model = oneLine(to, maxName);
  }

  /** Ends the open parts of a turn. */
  private endParts(turn: OpenSpan | undefined, t: number, seq: number): void {
    if (!turn) return;
    for (const key of this.open.keys()) {
      const part = this.open.get(key)?.span;
      const ends = part?.parent !== undefined && part.sessionId === turn.span.sessionId && !outlives.has(part.kind);
      if (ends) this.end(key, t, seq, { outcome: turn.isUnwanted ? 'cancelled' : 'unanswered' });
    }
  }

  private resume(key: string, sessionId: string | undefined): void {
    const last = this.spans.lastTurn(sessionId);
    if (!last) return;
    const { endedAt: _endedAt, outcome: _outcome, detail: _detail, ...span } = last;
    this.spans.replace(span);
    this.givenUp.delete(sessionId ?? '');
    this.open.set(key, { span, isUnwanted: false });
  }

  private seeTool(fact: ToolFact, seq: number): void {
    const { sessionId, event, id, change, took = 0 } = fact;
    const key = keyOf('tool', sessionId, id ?? `of ${event.t}`);
    const known = this.open.get(key);
    const title = fact.title ?? fact.command ?? fact.name;
    if (known && fact.title !== undefined) known.span.title = oneLine(fact.title, maxTitle);
    // Some agents send the same end twice.
    const isRepeated = change === 'ended' && this.endedTools.has(key);
    if (!known && !isRepeated && (change === 'running' || change === 'ended')) {
      const parent = this.aboveIn(sessionId);
      const about = { sessionId, title: title ?? 'a tool', startedAt: event.t - took, parent };
      const begun = this.begin(key, 'tool', about, seq);
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
      const about = { sessionId, title: title ?? tool?.span.title ?? fact.asking, startedAt: event.t, parent };
      this.begin(key, 'permission', about, seq);
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
    const outcome = isFailed ? 'failed' : isCancelled === true ? 'cancelled' : 'completed';
    if (change === 'ended') return this.end(key, event.t, seq, workEnd(outcome));
    if (this.open.has(key)) return;
    const parent = this.aboveIn(sessionId);
    this.begin(key, 'compaction', { sessionId, title: 'compaction', startedAt: event.t, parent }, seq);
  }

  /** Ends everything with the process. */
  private processChanged({ event }: ProcessFact, seq: number): void {
    if (!isEnd(event)) return;
    for (const key of this.open.keys()) this.end(key, event.t, seq, { outcome: 'unanswered' });
    for (const session of this.givenUp.keys()) this.reportGivenUp(session);
  }

  private reportGivenUp(session: string): void {
    const turn = this.givenUp.get(session);
    this.givenUp.delete(session);
    if (turn) this.ended(turn);
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
    this.spans.add(span);
    this.open.set(key, opened);
    return opened;
  }

  private end(key: string, t: number, seq: number, { outcome, detail }: SpanEnd): void {
    const known = this.open.get(key);
    if (!known) return;
    this.open.delete(key);
    const { span } = known;
    // Clocks may be set back.
    span.endedAt = Math.max(t, span.startedAt);
    span.lastSeq = Math.max(seq, span.firstSeq);
    if (outcome !== undefined) span.outcome = outcome;
    if (detail !== undefined) span.detail = detail;
    if (span.kind === 'turn') this.lastTurns.set(span.sessionId ?? '', span);
    const isGivenUp = span.kind === 'turn' && outcome === 'unanswered';
    const reported = isGivenUp ? this.givenUp.set(span.sessionId ?? '', span) : span;
    if (reported) this.ended(reported);
  }

  /** The span that contains a session's current work. */
  private aboveIn(sessionId: string | undefined): string | undefined {
    return this.turnOf(sessionId)?.span.id ?? this.subagentOf(sessionId);
  }

  /** The span of the subagent that a session belongs to. */
  private subagentOf(sessionId: string | undefined): string | undefined {
    const id = sessionId === undefined ? undefined : this.subagents.get(sessionId.slice(0, maxActivityId));
    return id !== undefined && this.spans.get(id) ? id : undefined;
  }

  private correct(turn: Mutable<Span>): void {
    const verdict = this.verdicts.get(turn.sessionId ?? '');
    const end = turn.outcome === 'ok' && verdict?.at === turn.endedAt && verdict ? verdictEnd(verdict) : undefined;
    if (end?.outcome) turn.outcome = end.outcome;
    if (end?.detail !== undefined) turn.detail = end.detail;
  }

  private turnOf(sessionId: string | undefined): OpenSpan | undefined {
    return this.open.get(keyOf('turn', sessionId, ''));
  }
}
