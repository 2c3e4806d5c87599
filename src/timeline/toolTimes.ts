import { hasFailed } from '../work/outcome';

/** A call of a tool. */
export interface TimedCall {
  readonly tool: string;
  /** In milliseconds. */
  readonly length: number;
  /** As that of a span. */
  readonly outcome: string | undefined;
}

/** Durations of one tool's calls, in milliseconds. */
export interface ToolTimes {
  readonly tool: string;
  readonly calls: number;
  /** Includes calls that were never answered. */
  readonly errors: number;
  readonly total: number;
  readonly median: number;
  /** 95th percentile. */
  readonly p95: number;
}

export function toolTimes(all: readonly TimedCall[]): readonly ToolTimes[] {
  const byTool = new Map<string, TimedCall[]>();
  for (const call of all) {
    const calls = byTool.get(call.tool);
    if (calls) calls.push(call);
    else byTool.set(call.tool, [call]);
  }
  return [...byTool].map(([tool, calls]) => {
    const lengths = calls.map(({ length }) => length).sort((a, b) => a - b);
    return {
      tool,
      calls: calls.length,
      errors: calls.filter(hasFailed).length,
      total: lengths.reduce((sum, one) => sum + one, 0),
      median: percentile(lengths, 0.5),
      p95: percentile(lengths, 0.95),
    };
  });
}

/** Uses the nearest rank, so the result is a value that occurred. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
