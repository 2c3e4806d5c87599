import { BoundedMap } from '../text/boundedMap';
import type { FileChange } from '../work/changes/fileChange';
import { withoutTexts } from '../work/changes/fileChange';
import type { Step, WorkSink } from '../work/step';
import { traceIn } from '../work/tools/callMarks';
import { changedBy } from './changes';
import type { TextsOfCall } from './newestTexts';
import { callTexts, changeTexts } from './newestTexts';
import type { Call } from './joins/call';
import type { Span, SpanQuery } from './span';
import { traceParentOf } from './span';
import { SpanTable } from './spanTable';
import type { TurnSummary } from './turnSummary';
import { summarizeTurn } from './turnSummary';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const maxSessions = 1000;
const maxOpen = 2000;
const maxCalls = 10_000;
/** Deeper nesting is a bug. */
const maxDepth = 20;

/** What a tool call is compared by with those of other runs, beside its span. */
type CallParts = Pick<Step, 'input' | 'marks'> & { readonly firstTitle: string; /** Until it changes. */ call?: Call };

/** Turns the steps of a run's work into spans. */
export class Timeline implements WorkSink {
  private readonly spans = new SpanTable();
  /** Spans that haven't settled, by ID. */
  private readonly open = new BoundedMap<string, Mutable<Span>>(maxOpen);
  /** Of tool calls, by the ID of their spans. */
  private readonly parts = new BoundedMap<string, CallParts>(maxCalls);
  private readonly texts = callTexts();
  private readonly changes = changeTexts();
  /** Sessions that have changed a file. */
  private readonly changing = new BoundedMap<string, true>(maxSessions);
  /** The running turn of each session. */
  private readonly turns = new BoundedMap<string, Span>(maxSessions);
  /** The turn that ended last in each session. */
  private readonly lastTurns = new BoundedMap<string, Span>(maxSessions);
  /** The newest record of the last line whose work is known. */
  private seq = 0;
  /** Spans that started or ended with the line that is read: its records are yet to be written. */
  private begun: Mutable<Span>[] = [];
  private over: Mutable<Span>[] = [];

  /** @param report called once for each span that ends; the diagnosis of the same line may still correct it */
  constructor(private readonly report: (span: Span) => void = () => undefined) {}

  reach(seq: number): void {
    this.seq = seq;
    if (this.begun.length > 0) {
      for (const span of this.begun) span.firstSeq = span.lastSeq = seq;
      this.begun = [];
    }
    if (this.over.length > 0) {
      for (const span of this.over) span.lastSeq = Math.max(seq, span.firstSeq);
      this.over = [];
    }
  }

  started(step: Step): void {
    const { id, parent, sessionId, kind, title, startedAt } = step;
    const traceparent = traceParentOf(step);
    const span: Mutable<Span> = {
      id,
      ...(parent !== undefined && { parent }),
      ...(sessionId !== '' && { sessionId }),
      kind,
      title,
      startedAt,
      firstSeq: this.seq,
      lastSeq: this.seq,
      ...(traceparent !== undefined && { traceparent }),
    };
    describe(span, step);
    this.open.set(id, span);
    this.spans.add(span);
    this.begun.push(span);
    this.noteCall(step);
    if (kind === 'turn') this.turns.set(sessionId, span);
  }

  changed(step: Step): void {
    const span = this.open.get(step.id) ?? this.spans.get(step.id);
    if (span) {
      const { outcome } = span;
      describe(span, step);
      // The record that corrects the end of a call is its last. An interruption is known from that of its turn.
      const isCorrected = span.endedAt !== undefined && span.outcome !== outcome && span.outcome !== 'cancelled';
      if (isCorrected && step.kind === 'tool') this.over.push(span);
    }
    this.noteCall(step);
  }

  ended(step: Step): void {
    const span = this.open.get(step.id);
    if (!span) return;
    describe(span, step);
    this.noteCall(step);
    this.over.push(span);
    if (step.kind !== 'turn') return;
    this.turns.delete(step.sessionId);
    this.lastTurns.set(step.sessionId, span);
  }

  resumed(step: Step): void {
    const span = this.open.get(step.id);
    if (!span) return;
    delete span.endedAt;
    delete span.outcome;
    delete span.detail;
    this.noteCall(step);
    if (step.kind === 'turn') this.turns.set(step.sessionId, span);
  }

  dropped({ id, sessionId }: Step): void {
    this.open.delete(id);
    this.spans.delete(id);
    this.turns.delete(sessionId);
  }

  settled({ id }: Step): void {
    const span = this.open.get(id);
    this.open.delete(id);
    if (span) this.report(span);
  }

  /** The matching spans, in order of their start. */
  query(query: SpanQuery = {}): Span[] {
    return this.spans.query(query).map((span) => ({
      ...span,
      lastSeq: span.endedAt === undefined ? Math.max(this.seq, span.firstSeq) : span.lastSeq,
      ...(span.usage && { usage: { ...span.usage } }),
    }));
  }

  /** The tool calls, to be joined with those of another run; oldest first. The same objects until they change. */
  get calls(): readonly Call[] {
    return this.spans.query({ kinds: ['tool'] }).map((span) => {
      const parts = this.parts.get(span.id) ?? { firstTitle: span.title };
      return (parts.call ??= this.callOf(span, parts));
    });
  }

  /** The arguments and the result of a tool call, if it is one of the newest. */
  textsOf(id: string): TextsOfCall | undefined {
    return this.texts.get(id);
  }

  /** Whether a session, or any, has changed a file. */
  hasChanges(sessionId?: string): boolean {
    return sessionId === undefined ? this.changing.size > 0 : this.changing.has(sessionId);
  }

  /** What a span changed, with the texts if it is one of the newest. */
  changesOf(id: string): readonly FileChange[] | undefined {
    return this.changes.get(id) ?? this.spans.get(id)?.changes;
  }

  private callOf(span: Span, { input, marks = [], firstTitle }: CallParts): Call {
    const { id, title, toolName, callId, startedAt, endedAt, outcome } = span;
    const names = toolName === undefined ? [...new Set([firstTitle, title])] : [toolName];
    const ids = callId === undefined ? marks : [callId, ...marks];
    const trace = traceIn(marks) ?? this.traceAbove(span);
    return { id, names, input, marks: ids, trace, startedAt, endedAt, outcome };
  }

  /** Of the turn that it is part of. */
  private traceAbove(span: Span): string | undefined {
    let above: Span | undefined = span;
    for (let depth = 0; above && depth < maxDepth; depth++) {
      if (above.traceparent !== undefined) return above.traceparent.split('-')[1];
      above = above.parent === undefined ? undefined : this.spans.get(above.parent);
    }
    return undefined;
  }

  /** Number of evicted turns and parts of turns. */
  get evicted(): number {
    return this.spans.dropped;
  }

  get(id: string): Span | undefined {
    return this.spans.get(id);
  }

  /** The turn of a session that a record belongs to, if it is the current or the last one. */
  turnAt(sessionId: string | undefined, seq: number): Span | undefined {
    const turn = this.turns.get(sessionId ?? '');
    if (turn && seq >= turn.firstSeq) return turn;
    const last = this.lastTurns.get(sessionId ?? '');
    return last && seq >= last.firstSeq && seq <= last.lastSeq ? last : undefined;
  }

  /** The current or the last turn of a session. */
  lastTurn(sessionId: string | undefined): Span | undefined {
    const turn = this.turns.get(sessionId ?? '') ?? this.lastTurns.get(sessionId ?? '');
    return turn && this.spans.get(turn.id);
  }

  /** Summarizes it. */
  summarize(sessionId: string | undefined, now: number): TurnSummary | undefined {
    const turn = this.lastTurn(sessionId);
    return turn && summarizeTurn(turn, this.spans.partsOf(turn), now);
  }

  private noteCall(step: Step): void {
    const { kind, id, title, input, marks, args, result } = step;
    const changes = changedBy(step);
    if (changes) this.changing.set(step.sessionId, true);
    if (changes?.some(({ texts }) => texts)) this.changes.set(id, changes);
    if (kind !== 'tool') return;
    const known = this.texts.get(id);
    if (known?.args !== args || known?.result !== result) this.texts.set(id, { args, result });
    const { firstTitle = title } = this.parts.get(id) ?? {};
    this.parts.set(id, { firstTitle, ...(input !== undefined && { input }), ...(marks && { marks }) });
  }

  /** Removes spans that have ended. */
  clear(): void {
    this.spans.clear();
    this.texts.clear();
    this.changes.clear();
  }
}

/** Takes what may change from a step. */
function describe(span: Mutable<Span>, step: Step): void {
  const { title, endedAt, end, usage, toolName, callId, model, retries = 0 } = step;
  span.title = title;
  if (endedAt !== undefined) span.endedAt = endedAt;
  if (end?.outcome !== undefined) span.outcome = end.outcome;
  if (end?.detail !== undefined) span.detail = end.detail;
  else delete span.detail;
  if (usage) span.usage = usage;
  if (toolName !== undefined) span.toolName = toolName;
  if (callId !== undefined) span.callId = callId;
  if (model !== undefined) span.model = model;
  if (retries > 0) span.retries = retries;
  const changes = withoutTexts(changedBy(step));
  if (changes) span.changes = changes;
  else delete span.changes;
}
