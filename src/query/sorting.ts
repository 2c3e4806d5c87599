export const sortDirections = ['ascending', 'descending'] as const;
export type SortDirection = (typeof sortDirections)[number];

/** How rows are sorted. */
export interface Sort<Column extends string = string> {
  readonly by: Column;
  readonly direction: SortDirection;
}

/** Clicks on the same column turn its direction. */
export function sortedBy<Column extends string>(
  by: Column,
  first: SortDirection,
  before: Sort<Column> | undefined,
): Sort<Column> {
  if (before?.by !== by || before.direction !== first) return { by, direction: first };
  return { by, direction: first === 'ascending' ? 'descending' : 'ascending' };
}

/**
 * The places of rows in the order of their weights: whole numbers from 0, or -1 for rows that have none, which come last in both
 * directions. Rows of the same weight keep their order. Weight and place are one number, so that no function compares pairs: a million rows take well under a second.
 */
export function placesByWeight(weights: readonly number[], direction: SortDirection): Uint32Array {
  const { length } = weights;
  const most = weights.reduce((max, weight) => Math.max(max, weight), 0);
  const keys = Float64Array.from(weights, (weight, place) => {
    const key = weight < 0 ? most + 1 : direction === 'ascending' ? weight : most - weight;
    return key * length + place;
  }).sort();
  return Uint32Array.from(keys, (key) => key % length);
}

/** The place of each name in alphabetical order; -1 for the empty name. */
export function ranksOf(names: readonly string[]): readonly number[] {
  const sorted = [...new Set(names)].filter((name) => name !== '').sort((a, b) => a.localeCompare(b));
  const ranks = new Map(sorted.map((name, rank) => [name, rank]));
  return names.map((name) => ranks.get(name) ?? -1);
}
