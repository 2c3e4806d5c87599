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

/** Descendants of the outermost spans, by the latter's ID. */
export function partsByRoot(spans: readonly Span[]): ReadonlyMap<string, readonly Span[]> {
  const roots = new Map<string, string>();
  const parts = new Map<string, Span[]>();
  // Parents start before their parts.
  for (const span of spans) {
    const root = span.parent === undefined ? undefined : roots.get(span.parent);
    roots.set(span.id, root ?? span.id);
    if (root === undefined) parts.set(span.id, []);
    else parts.get(root)?.push(span);
  }
  return parts;
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
