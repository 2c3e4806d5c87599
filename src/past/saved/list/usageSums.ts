import { saysTokens } from '../../../timeline/totalUsage';
import type { UsageCount } from '../../../work/usage/usageCounts';
import { usageCounts } from '../../../work/usage/usageCounts';
import type { CountedSession, UsagePart } from './savedUsage';

/** What the use of sessions can be added up by. */
export type SumKey = 'folder' | 'branch' | 'model' | 'skill' | 'agent';

/** What the sessions of one name used. */
export interface UsageSum {
  /** Absent for sessions that don't say it. */
  readonly name: string | undefined;
  readonly sessions: number;
  /** How many of these say what they used. */
  readonly counted: number;
  readonly usage: Readonly<Partial<Record<UsageCount, number>>>;
  /** What those cost by the user's prices that report no cost, in US dollars. */
  readonly computedUsd?: number;
}

/** A sum, and the sessions in it with their parts of that name. */
export interface UsageGroup {
  readonly sum: UsageSum;
  readonly of: readonly CountedSession[];
}

const counts = (Object.keys(usageCounts) as UsageCount[]).filter((count) => usageCounts[count].addsUp);

/** Adds up what sessions used by themselves, the most expensive first, then those with the most tokens. */
export function groupsBy(counted: readonly CountedSession[], by: SumKey): readonly UsageGroup[] {
  const groups = new Map<string | undefined, CountedSession[]>();
  for (const one of counted) {
    const names = one.parts.length === 0 ? [nameOf(one, by, {})] : one.parts.map((part) => nameOf(one, by, part));
    for (const name of new Set(names)) {
      const group = groups.get(name) ?? [];
      groups.set(name, group);
      group.push({ ...one, parts: one.parts.filter((part) => nameOf(one, by, part) === name) });
    }
  }
  return [...groups].map(([name, of]) => ({ sum: sumOf(of, name), of })).sort((a, b) => mostFirst(a.sum, b.sum));
}

export function sumOf(counted: readonly CountedSession[], name?: string): UsageSum {
  const parts = counted.flatMap((one) => one.parts);
  const costs = parts.flatMap(({ computed }) => computed?.usd ?? []);
  return {
    name,
    sessions: counted.length,
    counted: counted.filter((one) => one.parts.length > 0).length,
    usage: Object.fromEntries(
      counts.flatMap((count) => {
        const values = parts.flatMap(({ usage }) => usage[count] ?? []);
        return values.length === 0 ? [] : [[count, total(values)]];
      }),
    ),
    ...(costs.length > 0 && { computedUsd: total(costs) }),
  };
}

/** Orders sums: the most expensive first, then those with the most tokens, then with the most sessions. */
export function mostFirst(a: UsageSum, b: UsageSum): number {
  return costOf(b) - costOf(a) || weightOf(b) - weightOf(a) || b.sessions - a.sessions;
}

/** The models whose cost is unknown, at least of some turns: no agent reports it, and they have no price. */
export function unpricedModels(counted: readonly CountedSession[]): readonly (string | undefined)[] {
  const parts = counted.flatMap((one) => one.parts).filter(({ usage }) => saysTokens(usage));
  const unknown = parts.filter(({ usage, computed }) => usage.costUsd === undefined && computed?.isWhole !== true);
  return [...new Set(unknown.map(({ model }) => model))];
}

function nameOf(
  { session, of }: CountedSession,
  by: SumKey,
  { skill, model = session.model }: Partial<UsagePart>,
): string | undefined {
  return by === 'skill' ? skill : by === 'model' ? model : by === 'agent' ? of.name : session[by];
}

/** Reported and computed cost aren't the same, but have one order. */
function costOf({ usage, computedUsd = 0 }: UsageSum): number {
  return (usage.costUsd ?? 0) + computedUsd;
}

function weightOf({ usage }: UsageSum): number {
  return usage.totalTokens ?? (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
