import type { SumKey, UsageSum } from '../past/saved/list/usageSums';
import { dollars, shownLine } from '../text/text';

const maxName = 60;

/** One object for each name. */
export function sumsJson(sums: readonly UsageSum[], by: SumKey): readonly string[] {
  return sums.map(({ name, ...sum }) => JSON.stringify({ by, name, ...sum }));
}

/** A table, with a dash for what no session says. @param shown redacts names, before they are cut */
export function sumsTable(sums: readonly UsageSum[], by: SumKey, shown: (name: string) => string): readonly string[] {
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
