import type { Usage } from '../protocols/activity/activity';
import type { Span } from './span';

/** How a turn spent its time, in milliseconds, and what it did. `model`, `tools` and `waited` add up to `took`. */
export interface TurnSummary {
  readonly took: number;
  /** No tool was running, and no question was pending. */
  readonly model: number;
  /** Tools and subagents were running, and no question was pending. */
  readonly tools: number;
  readonly waited: number;
  readonly retries: number;
  readonly calls: number;
  readonly failed: number;
  readonly usage?: Usage;
}

type Interval = readonly [from: number, to: number];

/**
 * @param parts the spans within the turn, at any depth
 * @param now the end of spans that are still open, in milliseconds since the epoch
 */
export function summarizeTurn(turn: Span, parts: readonly Span[], now: number): TurnSummary {
  const end = Math.max(turn.startedAt, turn.endedAt ?? now);
  const lengthOf = (kinds: readonly Span['kind'][]): number => {
    const intervals = parts
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ startedAt, endedAt }): Interval => [Math.max(startedAt, turn.startedAt), Math.min(endedAt ?? now, end)]);
    return lengthOfUnion(intervals);
  };
  const waited = lengthOf(['permission']);
  const busy = lengthOf(['permission', 'tool', 'subagent']);
  const calls = parts.filter(({ kind }) => kind === 'tool');
  return {
    took: end - turn.startedAt,
    model: end - turn.startedAt - busy,
    tools: busy - waited,
    waited,
    retries: turn.retries ?? 0,
    calls: calls.length,
    failed: calls.filter(({ outcome }) => outcome === 'error').length,
    ...(turn.usage && { usage: turn.usage }),
  };
}

/**
 * The descendants of each turn, by its ID.
 * @param spans in order of their start
 */
export function partsByTurn(spans: Iterable<Span>): ReadonlyMap<string, readonly Span[]> {
  const turns = new Map<string, Span[]>();
  const enclosing = new Map<string, readonly string[]>();
  // Parents start before their parts.
  for (const span of spans) {
    const above = (span.parent === undefined ? undefined : enclosing.get(span.parent)) ?? [];
    for (const turn of above) turns.get(turn)?.push(span);
    if (span.kind === 'turn') turns.set(span.id, []);
    enclosing.set(span.id, span.kind === 'turn' ? [...above, span.id] : above);
  }
  return turns;
}

function lengthOfUnion(intervals: readonly Interval[]): number {
  let length = 0;
  let covered = -Infinity;
  for (const [from, to] of [...intervals].sort(([a], [b]) => a - b)) {
    const start = Math.max(from, covered);
    if (to > start) length += to - start;
    covered = Math.max(covered, to);
  }
  return length;
}
