import type { Usage } from '../work/activity';
import type { PriceList } from '../work/usage/prices';
import { computedCost } from '../work/usage/prices';
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
  const usages = counted(turns).map(({ usage }) => usage);
  const sum = (name: UsageCount): number | undefined => {
    const counts = usages.flatMap((usage) => usage[name] ?? []);
    return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0);
  };
  const last = turns.findLast(({ usage }) => usage?.contextTokens !== undefined)?.usage;
  const total = usageFrom((name) => (usageCounts[name].addsUp ? sum(name) : last?.[name]));
  const basis = usages.find((usage) => usage.basis !== 'turn')?.basis ?? 'turn';
  return Object.keys(total).length === 0 ? undefined : { ...total, basis };
}

/**
 * What turns cost by the user's prices, each by its own model, in US dollars; `undefined` if none has a price. It isn't the whole if some have
 * none, or if their agent reports a cost.
 * @param last the model of turns that don't know theirs
 */
export function computedTotal(
  turns: readonly Span[],
  last: string | undefined,
  prices: PriceList,
): { readonly usd: number; readonly isWhole: boolean } | undefined {
  const all = counted(turns).filter(({ usage }) => saysTokens(usage));
  const costs = all.flatMap(({ usage, model = last }) => computedCost(usage, model, prices) ?? []);
  if (costs.length === 0) return undefined;
  return { usd: costs.reduce((sum, cost) => sum + cost, 0), isWhole: costs.length === all.length };
}

/** Whether tokens are counted, not only how full the context is. */
export function saysTokens({ inputTokens, outputTokens, totalTokens }: Usage): boolean {
  return [inputTokens, outputTokens, totalTokens].some((count) => count !== undefined);
}

/** The turns whose usage adds up. */
function counted(turns: readonly Span[]): readonly (Span & { readonly usage: Usage })[] {
  const bySession = new Map<string | undefined, (Span & { readonly usage: Usage })[]>();
  for (const turn of turns) {
    const { sessionId, usage } = turn;
    if (!usage) continue;
    const before = bySession.get(sessionId);
    if (before && usage.basis === 'turn') before.push({ ...turn, usage });
    else bySession.set(sessionId, [{ ...turn, usage }]);
  }
  return [...bySession.values()].flat();
}
