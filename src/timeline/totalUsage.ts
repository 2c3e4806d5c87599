import type { Usage } from '../work/activity';
import type { Span } from './span';

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
  const sum = (name: Exclude<keyof Usage, 'basis'>): Partial<Usage> => {
    const counts = usages.flatMap((usage) => usage[name] ?? []);
    return counts.length === 0 ? {} : { [name]: counts.reduce((total, count) => total + count, 0) };
  };
  const { contextTokens, contextWindow } =
    turns.findLast(({ usage }) => usage?.contextTokens !== undefined)?.usage ?? {};
  const basis = usages.find((usage) => usage.basis !== 'turn')?.basis ?? 'turn';
  if (usages.length === 0) return undefined;
  return {
    ...sum('inputTokens'),
    ...sum('outputTokens'),
    ...sum('totalTokens'),
    ...sum('cachedTokens'),
    ...sum('cacheWriteTokens'),
    ...sum('reasoningTokens'),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...sum('costUsd'),
    basis,
  };
}
