import type { SpanRow } from '../../runs/explorer/turns/turnMessages';
import { endOf } from './timeAxis';

/** Durations of one tool's calls, in milliseconds. */
export interface ToolTimes {
  readonly tool: string;
  readonly calls: number;
  readonly errors: number;
  readonly total: number;
  readonly median: number;
  /** 95th percentile. */
  readonly p95: number;
}

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
export function toolTimes(rows: readonly SpanRow[], now: number): readonly ToolTimes[] {
  const byTool = new Map<string, SpanRow[]>();
  for (const row of rows) {
    if (row.kind !== 'tool') continue;
    const calls = byTool.get(row.tool);
    if (calls) calls.push(row);
    else byTool.set(row.tool, [row]);
  }
  return [...byTool].map(([tool, calls]) => {
    const lengths = calls.map((row) => endOf(row, now) - row.start).sort((a, b) => a - b);
    return {
      tool,
      calls: calls.length,
      errors: calls.filter(({ outcome }) => outcome === 'error' || outcome === 'unanswered').length,
      total: lengths.reduce((sum, one) => sum + one, 0),
      median: percentile(lengths, 0.5),
      p95: percentile(lengths, 0.95),
    };
  });
}

/** Sorts numbers in descending order, names in ascending order. */
export function sortedBy(times: readonly ToolTimes[], column: ToolColumn, isReversed: boolean): readonly ToolTimes[] {
  const sign = isReversed ? -1 : 1;
  return [...times].sort((a, b) => {
    if (column === 'tool') return sign * a.tool.localeCompare(b.tool);
    return sign * (b[column] - a[column]) || a.tool.localeCompare(b.tool);
  });
}

/** Uses the nearest rank, so the result is a value that occurred. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
