import type { Usage } from '../work/activity';
import type { UsageCount } from '../work/usage/usageCounts';
import { usageCounts, usageFrom } from '../work/usage/usageCounts';
import type { Span } from './span';

/** The turns that aren't part of others, such as those of subagents. */
export function outerTurns(spans: readonly Span[]): readonly Span[] {
  const ids = new Set(spans.map(({ id }) => id));
  return spans.filter(({ kind, parent }) => kind === 'turn' && (parent === undefined || !ids.has(parent)));
}

/** Sums the usage of turns; if it counts more than a turn, takes the last of each session. The context is that of the last. */
export function totalUsage(turns: readonly Span[]): Usage | undefined {
  const bySession = new Map<string | undefined, Usage[]>();
  for (const { sessionId, usage } of turns) {
    if (!usage) continue;
    const before = bySession.get(sessionId);
    if (before && usage.basis === 'turn') before.push(usage);
    else bySession.set(sessionId, [usage]);
  }
  const usages = [...bySession.values()].flat();
  const sum = (name: UsageCount): number | undefined => {
    const counts = usages.flatMap((usage) => usage[name] ?? []);
    return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0);
  };
  const last = turns.findLast(({ usage }) => usage?.contextTokens !== undefined)?.usage;
  const total = usageFrom((name) => (usageCounts[name].addsUp ? sum(name) : last?.[name]));
  const basis = usages.find((usage) => usage.basis !== 'turn')?.basis ?? 'turn';
  return Object.keys(total).length === 0 ? undefined : { ...total, basis };
}
