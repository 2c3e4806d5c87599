import type { SavedAgentFolder, SavedSessions } from '../past/saved/list/savedSessions';
import type { UsagePart } from '../past/saved/list/savedUsage';
import { usageParts } from '../past/saved/list/savedUsage';
import type { SavedSession } from '../past/saved/savedSession';
import { computedTotal } from '../timeline/totalUsage';
import { dollars, shownLine } from '../text/text';
import type { PriceList } from '../work/usage/prices';
import type { UsageCount } from '../work/usage/usageCounts';
import { usageCounts } from '../work/usage/usageCounts';
import type { SumKey } from './commands/sessions';

/** A saved session, and its agent. */
export interface FoundSession {
  readonly session: SavedSession;
  readonly of: SavedAgentFolder;
}

/** What the sessions of one name used. */
interface Sum {
  /** Absent for sessions that don't say it. */
  readonly name: string | undefined;
  sessions: number;
  /** How many of these say what they used. */
  counted: number;
  readonly usage: Partial<Record<UsageCount, number>>;
  /** What those cost by the user's prices that report no cost, in US dollars. */
  computedUsd?: number;
}

const counts = (Object.keys(usageCounts) as UsageCount[]).filter((count) => usageCounts[count].addsUp);
const maxName = 60;

/**
 * Adds up what sessions used by themselves, the most expensive first, then those with the most tokens. Reads each of them completely.
 * @param since only their turns that began then or later, in milliseconds since the epoch
 */
export async function sumsOf(
  found: AsyncIterable<FoundSession>,
  { by, since }: { readonly by: SumKey; readonly since: number },
  sessions: SavedSessions,
  prices: PriceList,
): Promise<readonly Sum[]> {
  const sums = new Map<string | undefined, Sum>();
  const add = (name: string | undefined, parts: readonly UsagePart[], { model: last }: SavedSession): void => {
    const sum = sums.get(name) ?? { name, sessions: 0, counted: 0, usage: {} };
    sums.set(name, sum);
    sum.sessions++;
    if (parts.length > 0) sum.counted++;
    for (const { turns, usage } of parts) {
      const cost = computedTotal(turns, last, prices);
      if (cost) sum.computedUsd = (sum.computedUsd ?? 0) + cost.usd;
      for (const count of counts) {
        const value = usage[count];
        if (value !== undefined) sum.usage[count] = (sum.usage[count] ?? 0) + value;
      }
    }
  };
  for await (const { session, of } of found) {
    const nameOf = ({ skill, model = session.model }: Partial<UsagePart>): string | undefined =>
      by === 'skill' ? skill : by === 'model' ? model : by === 'agent' ? of.name : session[by];
    const parts = await usageParts(sessions.open(session), since);
    for (const name of new Set(parts.length === 0 ? [nameOf({})] : parts.map(nameOf))) {
      add(
        name,
        parts.filter((part) => nameOf(part) === name),
        session,
      );
    }
  }
  const weight = ({ usage }: Sum): number => usage.totalTokens ?? (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  return [...sums.values()].sort((a, b) => costOf(b) - costOf(a) || weight(b) - weight(a) || b.sessions - a.sessions);
}

/** For the order only: reported and computed cost aren't the same. */
function costOf({ usage, computedUsd = 0 }: Sum): number {
  return (usage.costUsd ?? 0) + computedUsd;
}

/** One object for each name. */
export function sumsJson(sums: readonly Sum[], by: SumKey): readonly string[] {
  return sums.map(({ name, ...sum }) => JSON.stringify({ by, name, ...sum }));
}

/** A table, with a dash for what no session says. @param shown redacts names, before they are cut */
export function sumsTable(sums: readonly Sum[], by: SumKey, shown: (name: string) => string): readonly string[] {
  if (sums.length === 0) return [];
  const hasComputed = sums.some(({ computedUsd }) => computedUsd !== undefined);
  const head = [
    by,
    'sessions',
    'input',
    'cached',
    'output',
    'reported cost',
    ...(hasComputed ? ['computed cost'] : []),
  ];
  const rows = sums.map(({ name, sessions, counted, usage, computedUsd }) => [
    name === undefined ? `(no ${by})` : shownLine(shown(name), maxName),
    counted === sessions ? String(sessions) : `${sessions} (${counted} counted)`,
    ...(['inputTokens', 'cachedTokens', 'outputTokens'] as const).map(
      (count) => usage[count]?.toLocaleString('en') ?? '–',
    ),
    usage.costUsd === undefined ? '–' : dollars(usage.costUsd),
    ...(hasComputed ? [computedUsd === undefined ? '–' : dollars(computedUsd)] : []),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
