import { oneLine } from '../log/text';
import { BoundedMap } from '../log/boundedMap';
import type { Span, SpanEnd, SpanKind } from './span';
import { keyOf, maxTitle } from './span';
import type { SpanTable } from './spanTable';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface OpenSpan {
  readonly span: Mutable<Span>;
  /** Why it isn't expected to succeed: the client asked to cancel it, or the user denied permission. */
  unwanted?: 'cancelled' | 'refused' | undefined;
  /** An error that the agent reported during the turn. */
  trouble?: string;
  /** The agent reported that the whole turn failed. */
  hasFailed?: boolean;
  /** The exit code of the tool call's terminal. */
  exitCode?: number;
}

export type SpanStart = Pick<Span, 'title' | 'startedAt'> & {
  readonly sessionId: string | undefined;
  readonly parent: string | undefined;
};

const maxOpen = 1000;
const continues = new Set<SpanKind>(['turn', 'tool']);
/** Subagents may continue after the turn that started them. */
const outlives = new Set<SpanKind>(['turn', 'subagent']);

/** The spans that haven't ended. */
export class OpenSpans {
  private readonly open = new BoundedMap<string, OpenSpan>(maxOpen);
  /** Turns and tool calls that were given up, and may still continue: their end isn't reported yet. */
  private readonly givenUp = new BoundedMap<string, Span>(maxOpen);
  /** The turn that ended last in each session. */
  private readonly lastTurns = new BoundedMap<string | undefined, Span>(maxOpen);
  private count = 0;

  constructor(
    private readonly table: SpanTable,
    private readonly ended: (span: Span) => void,
  ) {}

  get(key: string): OpenSpan | undefined {
    return this.open.get(key);
  }

  has(key: string): boolean {
    return this.open.has(key);
  }

  turnOf(sessionId: string | undefined): OpenSpan | undefined {
    return this.open.get(keyOf('turn', sessionId, ''));
  }

  lastTurnOf(sessionId: string | undefined): Span | undefined {
    return this.lastTurns.get(sessionId);
  }

  /** Finds an open tool call by the ID of its span. */
  toolWith(spanId: string | undefined): OpenSpan | undefined {
    return this.open.find(({ span }) => span.id === spanId && span.kind === 'tool');
  }

  begin(key: string, kind: SpanKind, { sessionId, title, startedAt, parent }: SpanStart, seq: number): OpenSpan {
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
    this.report(key);
    const opened = { span };
    this.table.add(span);
    this.open.set(key, opened);
    return opened;
  }

  /** Opens a span again that was given up. Returns whether there is one. */
  reopen(key: string): boolean {
    const known = this.givenUp.get(key);
    if (!known) return false;
    this.givenUp.delete(key);
    const { endedAt: _endedAt, outcome: _outcome, detail: _detail, ...span } = known;
    this.table.replace(span);
    this.open.set(key, { span });
    return true;
  }

  end(key: string, t: number, seq: number, { outcome, detail }: SpanEnd): Mutable<Span> | undefined {
    const known = this.open.get(key);
    if (!known) return undefined;
    this.open.delete(key);
    const { span } = known;
    // Clocks may be set back.
    span.endedAt = Math.max(t, span.startedAt);
    span.lastSeq = Math.max(seq, span.firstSeq);
    if (outcome !== undefined) span.outcome = outcome;
    if (detail !== undefined) span.detail = detail;
    if (span.kind === 'turn') this.lastTurns.set(span.sessionId, span);
    const isGivenUp = outcome === 'unanswered' && continues.has(span.kind);
    const reported = isGivenUp ? this.givenUp.set(key, span) : span;
    if (reported) this.ended(reported);
    return span;
  }

  /** Forgets a span, and removes it from the table. */
  drop(key: string): void {
    const dropped = this.open.get(key);
    this.open.delete(key);
    if (dropped) this.table.delete(dropped.span.id);
  }

  /** Ends the open parts of a turn. Returns them by key. */
  endParts(turn: OpenSpan, t: number, seq: number): ReadonlyMap<string, Span> {
    const parts = new Map<string, Span>();
    const outcome = turn.unwanted === 'cancelled' ? 'cancelled' : 'unanswered';
    for (const key of this.open.keys()) {
      const part = this.open.get(key)?.span;
      const ends = part?.parent !== undefined && part.sessionId === turn.span.sessionId && !outlives.has(part.kind);
      const ended = ends ? this.end(key, t, seq, { outcome }) : undefined;
      if (ended) parts.set(key, ended);
    }
    return parts;
  }

  endAll(t: number, seq: number): void {
    for (const key of this.open.keys()) this.end(key, t, seq, { outcome: 'unanswered' });
    for (const key of this.givenUp.keys()) this.report(key);
  }

  private report(key: string): void {
    const span = this.givenUp.get(key);
    this.givenUp.delete(key);
    if (span) this.ended(span);
  }
}
