import type { SavedAgentFolder, SavedSessions } from '../past/saved/list/savedSessions';
import { savedUsage, usageBySkill } from '../past/saved/list/savedUsage';
import type { SavedSession } from '../past/saved/savedSession';
import { dollars, shownLine } from '../text/text';
import type { Usage } from '../work/activity';
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
}

const counts = (Object.keys(usageCounts) as UsageCount[]).filter((count) => usageCounts[count].addsUp);
const maxName = 60;

/** Adds up what sessions used by themselves, the most expensive first, then those with the most tokens. Reads each of them completely. */
export async function sumsOf(
  found: AsyncIterable<FoundSession>,
  by: SumKey,
  sessions: SavedSessions,
): Promise<readonly Sum[]> {
  const sums = new Map<string | undefined, Sum>();
  const add = (name: string | undefined, usage: Usage | undefined): void => {
    const sum = sums.get(name) ?? { name, sessions: 0, counted: 0, usage: {} };
    sums.set(name, sum);
    sum.sessions++;
    if (!usage) return;
    sum.counted++;
    for (const count of counts) {
      const value = usage[count];
      if (value !== undefined) sum.usage[count] = (sum.usage[count] ?? 0) + value;
    }
  };
  for await (const { session, of } of found) {
    const info = sessions.open(session);
    if (by !== 'skill') {
      add(by === 'agent' ? of.name : session[by], await savedUsage(info));
      continue;
    }
    const uses = await usageBySkill(info);
    if (uses.size === 0) add(undefined, undefined);
    for (const [skill, usage] of uses) add(skill, usage);
  }
  const weight = ({ usage }: Sum): number => usage.totalTokens ?? (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  return [...sums.values()].sort(
    (a, b) => (b.usage.costUsd ?? 0) - (a.usage.costUsd ?? 0) || weight(b) - weight(a) || b.sessions - a.sessions,
  );
}

/** One object for each name. */
export function sumsJson(sums: readonly Sum[], by: SumKey): readonly string[] {
  return sums.map(({ name, sessions, counted, usage }) => JSON.stringify({ by, name, sessions, counted, usage }));
}

/** A table, with a dash for what no session says. @param shown redacts names, before they are cut */
export function sumsTable(sums: readonly Sum[], by: SumKey, shown: (name: string) => string): readonly string[] {
  if (sums.length === 0) return [];
  const head = [by, 'sessions', 'input', 'cached', 'output', 'reported cost'];
  const rows = sums.map(({ name, sessions, counted, usage }) => [
    name === undefined ? `(no ${by})` : shownLine(shown(name), maxName),
    counted === sessions ? String(sessions) : `${sessions} (${counted} counted)`,
    ...(['inputTokens', 'cachedTokens', 'outputTokens'] as const).map(
      (count) => usage[count]?.toLocaleString('en') ?? '–',
    ),
    usage.costUsd === undefined ? '–' : dollars(usage.costUsd),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
