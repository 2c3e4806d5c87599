import { oneLine } from '../log/text';
import type { TerminalFact, ToolFact } from '../work/activity';
import { BoundedMap } from '../log/boundedMap';
import type { Mutable, OpenSpan, OpenSpans } from './openSpans';
import { toolEnd } from './outcomes';
import type { Span } from './span';
import { keyOf, maxName, maxTitle } from './span';

const maxKnown = 1000;

/** Builds the spans of tool calls. */
export class ToolSpans {
  /** Calls that have ended, by key. */
  private readonly ended = new BoundedMap<string, Span>(maxKnown);
  /** The call that the user rejected last, without a question. */
  private rejected: Mutable<Span> | undefined;
  private readonly terminals = new BoundedMap<string, OpenSpan>(maxKnown);

  constructor(private readonly spans: OpenSpans) {}

  /** @param above the span that contains the session's current work */
  see(fact: ToolFact, seq: number, above: string | undefined): void {
    const { sessionId, event, id, change } = fact;
    const key = keyOf('tool', sessionId, id ?? `of ${event.t}`);
    if (change === 'running' || change === 'ended') this.begin(fact, key, seq, above);
    const tool = this.spans.get(key);
    if (!tool) return;
    if (fact.title !== undefined) tool.span.title = oneLine(fact.title, maxTitle);
    if (fact.name !== undefined) tool.span.toolName ??= oneLine(fact.name, maxName);
    for (const terminal of fact.terminals ?? []) this.terminals.set(keyOf('tool', sessionId, terminal), tool);
    if (change !== 'ended') return;
    const ended = this.spans.end(
      key,
      event.t,
      seq,
      toolEnd(fact, { ...tool, unwanted: tool.unwanted ?? this.cancelOf(fact) }),
    );
    if (!ended) return;
    this.ended.set(key, ended);
    if (ended.outcome === 'refused' && tool.unwanted !== 'refused') this.rejected = ended;
  }

  exited({ sessionId, id, exitCode }: TerminalFact): void {
    const tool = this.terminals.get(keyOf('tool', sessionId, id));
    if (tool && exitCode !== undefined) tool.exitCode = exitCode;
  }

  /** Claude Code tells its model that the user rejected a tool when the user interrupted the turn. */
  interrupted(turn: OpenSpan | undefined): void {
    if (turn && this.rejected?.parent === turn.span.id) this.rejected.outcome = 'cancelled';
  }

  /** Called with the spans that ended with their turn. A cancelled call only reports its end; others may continue. */
  leave(parts: ReadonlyMap<string, Span>): void {
    for (const [key, span] of parts) if (span.outcome === 'cancelled') this.ended.set(key, span);
  }

  private cancelOf({ sessionId }: ToolFact): 'cancelled' | undefined {
    return this.spans.turnOf(sessionId)?.unwanted === 'cancelled' ? 'cancelled' : undefined;
  }

  private begin(fact: ToolFact, key: string, seq: number, above: string | undefined): void {
    const { sessionId, event, id, isNew, change, parentId, took = 0 } = fact;
    if (this.spans.has(key) || (isNew !== true && this.spans.reopen(key))) return;
    const parent = this.spans.get(keyOf('tool', sessionId, parentId ?? ''))?.span.id ?? above;
    // Some agents send the same end twice; others use an ID again in the next turn.
    const before = this.ended.get(key);
    if (change === 'ended' && before && (isNew !== true || before.parent === parent)) return;
    this.ended.delete(key);
    const title = fact.title ?? fact.command ?? fact.name ?? 'a tool';
    const opened = this.spans.begin(key, 'tool', { sessionId, title, startedAt: event.t - took, parent }, seq);
    if (id !== undefined) opened.span.callId = id;
  }
}
