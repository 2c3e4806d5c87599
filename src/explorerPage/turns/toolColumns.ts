import type { SpanRow } from '../../explorer/turns/turnMessages';
import type { ToolTimes } from '../../timeline/toolTimes';
import { toolTimes } from '../../timeline/toolTimes';
import { endOf } from './timeAxis';

export type ToolColumn = keyof ToolTimes;
export const toolColumns = [
  'tool',
  'calls',
  'errors',
  'total',
  'median',
  'p95',
] as const satisfies readonly ToolColumn[];

/** @param now the end of spans that are still open, in milliseconds since the epoch */
export function timesOf(rows: readonly SpanRow[], now: number): readonly ToolTimes[] {
  const calls = rows.filter(({ kind }) => kind === 'tool');
  return toolTimes(calls.map((row) => ({ tool: row.tool, length: endOf(row, now) - row.start, outcome: row.outcome })));
}

/** Sorts numbers in descending order, names in ascending order. */
export function sortedBy(times: readonly ToolTimes[], column: ToolColumn, isReversed: boolean): readonly ToolTimes[] {
  const sign = isReversed ? -1 : 1;
  return [...times].sort((a, b) => {
    if (column === 'tool') return sign * a.tool.localeCompare(b.tool);
    return sign * (b[column] - a[column]) || a.tool.localeCompare(b.tool);
  });
}
