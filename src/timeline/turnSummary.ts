import type { Translator } from '../text/translator';
import { english } from '../text/translator';
import type { Usage } from '../work/activity';
import { hasFailed } from '../work/outcome';
import type { Changes } from './changes';
import { changesIn, changesText } from './changes';
import type { Span } from './span';
import { endOf } from './span';
import { usageText } from './usageText';

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
  readonly changes?: Changes;
  readonly usage?: Usage;
}

type Interval = readonly [from: number, to: number];

/**
 * @param parts the spans within the turn, at any depth
 * @param now the end of spans that are still open, in milliseconds since the epoch
 */
export function summarizeTurn(turn: Span, parts: readonly Span[], now: number): TurnSummary {
  const end = endOf(turn, now);
  const lengthOf = (kinds: readonly Span['kind'][]): number => {
    const intervals = parts
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ startedAt, endedAt }): Interval => [Math.max(startedAt, turn.startedAt), Math.min(endedAt ?? now, end)]);
    return lengthOfUnion(intervals);
  };
  const waited = lengthOf(['permission']);
  const busy = lengthOf(['permission', 'tool', 'subagent', 'hook']);
  const calls = parts.filter(({ kind }) => kind === 'tool');
  const changes = changesIn([turn, ...parts]);
  return {
    took: end - turn.startedAt,
    model: end - turn.startedAt - busy,
    tools: busy - waited,
    waited,
    retries: turn.retries ?? 0,
    calls: calls.length,
    failed: calls.filter(hasFailed).length,
    ...(changes && { changes }),
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

/** `42 s: model 31 s (2 retries), tools 9 s, waited for you 2 s · 3 tool calls, 1 failed · 12.3k in (91 % cached), 1.1k out, $0.12` */
export function summaryText(summary: TurnSummary, l10n: Translator = english): string {
  return `${l10n.t('{0}', { ms: summary.took })}: ${spentText(summary, l10n)}`;
}

/** The same without what it used, for a text that has it exactly. */
export function timesText({ usage: _usage, ...times }: TurnSummary, l10n: Translator = english): string {
  return summaryText(times, l10n);
}

/** The same without the duration of the turn, for a text that already has it. */
export function spentText(summary: TurnSummary, l10n: Translator = english): string {
  const { model, tools, waited, retries, calls, failed, changes, usage } = summary;
  const times = [withRetries(l10n.t('model {0}', { ms: model }), retries, l10n)];
  if (tools > 0) times.push(l10n.t('tools {0}', { ms: tools }));
  if (waited > 0) times.push(l10n.t('waited for you {0}', { ms: waited }));
  const parts = [times.join(', ')];
  if (calls > 0) {
    const called = calls === 1 ? l10n.t('1 tool call') : l10n.t('{0} tool calls', calls);
    parts.push(failed === 0 ? called : l10n.t('{0}, {1} failed', called, failed));
  }
  if (changes) parts.push(changesText(changes, l10n));
  const tokens = usage && usageText(usage, l10n);
  if (tokens) parts.push(tokens);
  return parts.join(' · ');
}

function withRetries(text: string, retries: number, l10n: Translator): string {
  if (retries === 0) return text;
  return retries === 1 ? l10n.t('{0} (1 retry)', text) : l10n.t('{0} ({1} retries)', text, retries);
}
