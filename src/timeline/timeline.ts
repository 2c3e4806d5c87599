import { ownHead } from '../log/ownText';
import { oneLine } from '../log/text';
import type {
  CompactionFact,
  MessageFact,
  ModelFact,
  PermissionFact,
  RetryFact,
  SubagentFact,
  TurnFact,
} from '../work/activity';
import { cancelOfParent, maxActivityId } from '../work/activity';
import { BoundedMap } from '../log/boundedMap';
import type { Fact, RequestFact } from '../work/facts';
import { objectOf } from '../log/json';
import { isEnd } from '../protocols/lifecycle';
import type { Mutable } from './openSpans';
import { OpenSpans } from './openSpans';
import { permissionEnd, requestEnd, turnEnd, verdictEnd, workEnd } from './outcomes';
import type { Span, SpanQuery, TurnVerdict } from './span';
import { joinTrace, keyOf, maxName, maxTitle, requestKeyOf } from './span';
import { SpanTable } from './spanTable';
import { ToolSpans } from './toolSpans';
import type { TurnSummary } from './turnSummary';
import { summarizeTurn } from './turnSummary';

const maxSessions = 1000;
const unknownPrompt = 'turn';
/** Requests whose work is a span of another kind. */
const ofOtherKinds = new Set(['session/prompt', 'session/request_permission', 'elicitation/create', 'tools/call']);

/** Builds spans from facts. Deterministic: all times come from the lines. */
export class Timeline {
  private readonly spans = new SpanTable();
  /** The diagnosis of the last turn of each session. */
  private readonly verdicts = new BoundedMap<string, TurnVerdict>(maxSessions);
  private readonly open: OpenSpans;
  private readonly tools: ToolSpans;
  /** Subagents' spans, by session. */
  private readonly subagents = new BoundedMap<string, string>(maxSessions);
  /** The model of each session. */
  private readonly models = new BoundedMap<string, string>(maxSessions);
  private newest = 0;

  /** @param ended called once for each span that ends; the diagnosis of the same line may still correct it */
  constructor(ended: (span: Span) => void = () => undefined) {
    this.open = new OpenSpans(this.spans, ended);
    this.tools = new ToolSpans(this.open);
  }

  /** @param seq the newest record after reading the fact's line */
  see(fact: Fact, seq: number): void {
    this.newest = seq;
    switch (fact.type) {
      case 'request':
        return this.requested(fact, seq);
      case 'response':
        if (fact.request) this.open.end(requestKeyOf(fact.request), fact.event.t, seq, requestEnd(fact));
        return;
      case 'closed':
        this.open.end(requestKeyOf(fact.request), fact.event.t, seq, requestEnd(fact));
        return;
      case 'process':
        return isEnd(fact.event) ? this.open.endAll(fact.event.t, seq) : undefined;
      case 'turn':
        return this.seeTurn(fact, seq);
      case 'tool':
        return this.tools.see(fact, seq, this.aboveIn(fact.sessionId));
      case 'terminal':
        return this.tools.exited(fact);
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
    const turn = this.open.lastTurnOf(sessionId);
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
    const turn = this.open.turnOf(sessionId)?.span;
    if (turn && seq >= turn.firstSeq) return turn;
    const last = this.open.lastTurnOf(sessionId);
    return last && seq >= last.firstSeq && seq <= last.lastSeq ? last : undefined;
  }

  /** Summarizes the current or the last turn of a session. */
  summarize(sessionId: string | undefined, now: number): TurnSummary | undefined {
    const turn = this.open.turnOf(sessionId)?.span ?? this.open.lastTurnOf(sessionId);
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
    joinTrace(this.open.begin(requestKeyOf(request), 'request', about, seq).span, params);
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
        const opened = this.open.begin(key, 'turn', about, seq);
        if (fact.cancel) opened.unwanted = 'cancelled';
        const model = this.models.get(sessionId ?? '');
        if (model !== undefined) opened.span.model = model;
        joinTrace(opened.span, objectOf(objectOf(fact.event.msg)['params']));
        return;
      }
      case 'resumed':
        this.open.reopen(key);
        return;
      case 'dropped':
        return this.open.drop(key);
      case 'cancelled':
        if (turn && fact.method !== cancelOfParent) turn.unwanted = 'cancelled';
        return;
      case 'closing':
        if (turn) turn.unwanted = 'cancelled';
        return;
      case 'ended':
        if (turn && fact.usage) turn.span.usage = fact.usage;
        if (turn && fact.stopReason === 'cancelled') turn.unwanted = 'cancelled';
        if (fact.isInterrupted) this.tools.interrupted(turn);
        if (turn) this.tools.leave(this.open.endParts(turn, fact.endedAt, seq));
        this.open.end(key, fact.endedAt, seq, turnEnd(fact, turn));
        return turn && this.correct(turn.span);
    }
  }

  /** Takes the prompt from agents that echo it. */
  private seePrompt({ sessionId, text }: MessageFact): void {
    const turn = this.open.turnOf(sessionId)?.span;
    if (turn?.title === unknownPrompt && text !== '') turn.title = oneLine(text, maxTitle);
  }

  private seeRetry({ sessionId, change, message, details, isOfTurn }: RetryFact): void {
    const turn = this.open.turnOf(sessionId);
    if (!turn) return;
    if (change === 'retrying') turn.span.retries = (turn.span.retries ?? 0) + 1;
    const trouble = details ?? message;
    if (trouble !== undefined) turn.trouble = ownHead(trouble, maxTitle);
    if (change === 'gave-up' && isOfTurn === true) turn.hasFailed = true;
  }

  private seeModel({ sessionId, to }: ModelFact): void {
    if (to === undefined) return;
    const model = ownHead(oneLine(to, maxName), maxName);
    const turn = this.open.turnOf(sessionId)?.span;
    if (turn) turn.model = model;
    this.models.set(sessionId ?? '', model);
  }

  private seePermission(fact: PermissionFact, seq: number): void {
    const { sessionId, event, id, toolId, title } = fact;
    const key = keyOf('permission', sessionId, id);
    const tool = toolId === undefined ? undefined : this.open.get(keyOf('tool', sessionId, toolId));
    if (fact.change === 'asked') {
      const parent = tool?.span.id ?? this.aboveIn(sessionId);
      const about = { sessionId, title: title ?? tool?.span.title ?? fact.asking, startedAt: event.t, parent };
      this.open.begin(key, 'permission', about, seq);
      return;
    }
    const asked = this.open.get(key)?.span;
    const asking = this.open.toolWith(asked?.parent);
    if (asking && fact.outcome !== 'allowed' && fact.outcome) asking.unwanted = fact.outcome;
    this.open.end(key, event.t, seq, permissionEnd(fact));
  }

  private seeSubagent({ sessionId, event, id, title, change, outcome }: SubagentFact, seq: number): void {
    const key = keyOf('subagent', sessionId, id);
    if (change === 'ended') return void this.open.end(key, event.t, seq, workEnd(outcome));
    if (change === 'refused' || this.open.has(key)) return;
    const parent = this.aboveIn(sessionId);
    const { span } = this.open.begin(
      key,
      'subagent',
      { sessionId, title: title ?? id, startedAt: event.t, parent },
      seq,
    );
    this.subagents.set(id, span.id);
  }

  private seeCompaction({ sessionId, event, change, isFailed, isCancelled }: CompactionFact, seq: number): void {
    const key = keyOf('compaction', sessionId, '');
    const outcome = isFailed ? 'failed' : isCancelled === true ? 'cancelled' : 'completed';
    if (change === 'ended') return void this.open.end(key, event.t, seq, workEnd(outcome));
    if (this.open.has(key)) return;
    const parent = this.aboveIn(sessionId);
    this.open.begin(key, 'compaction', { sessionId, title: 'compaction', startedAt: event.t, parent }, seq);
  }

  /** The span that contains a session's current work. */
  private aboveIn(sessionId: string | undefined): string | undefined {
    return this.open.turnOf(sessionId)?.span.id ?? this.subagentOf(sessionId);
  }

  /** The span of the subagent that a session belongs to. */
  private subagentOf(sessionId: string | undefined): string | undefined {
    const id = sessionId === undefined ? undefined : this.subagents.get(sessionId.slice(0, maxActivityId));
    return id !== undefined && this.spans.get(id) ? id : undefined;
  }

  private correct(turn: Mutable<Span>): void {
    const verdict = this.verdicts.get(turn.sessionId ?? '');
    const isOpen = turn.outcome === 'ok' || (turn.outcome === 'error' && turn.detail === undefined);
    const end = isOpen && verdict?.at === turn.endedAt && verdict ? verdictEnd(verdict) : undefined;
    if (end?.outcome) turn.outcome = end.outcome;
    if (end?.detail !== undefined) turn.detail = end.detail;
  }
}
