import type { TimedCall, ToolTimes } from '../../timeline/toolTimes';
import { toolTimes } from '../../timeline/toolTimes';
import type { Recording } from './recordings';

/** The calls of a server's tools in recorded runs. */
export interface PastCalls {
  /** The number of runs that have calls. */
  readonly runs: number;
  readonly calls: number;
  /** When the oldest of these runs began, in milliseconds since the epoch. */
  readonly since: number;
  /** The most errors first, then the slowest. */
  readonly tools: readonly PastTool[];
}

export interface PastTool extends Pick<ToolTimes, 'tool' | 'calls' | 'median' | 'p95'> {
  /** Without time-outs. */
  readonly errors: number;
  /** Calls that were never answered, or cancelled because they took too long. */
  readonly timeouts: number;
}

/** `undefined` if there were no calls. */
export async function pastCalls(recordings: readonly Recording[]): Promise<PastCalls | undefined> {
  const calls: TimedCall[] = [];
  let runs = 0;
  let since = Infinity;
  for (const recording of recordings) {
    const own = (await recording.read().catch(() => undefined))?.calls ?? [];
    if (own.length === 0) continue;
    runs++;
    since = Math.min(since, recording.startedAt);
    calls.push(...own);
  }
  if (runs === 0) return undefined;
  const late = calls.filter(({ outcome }) => outcome === 'unanswered');
  const tools = toolTimes(calls).map(({ tool, calls: count, errors, median, p95 }): PastTool => {
    const timeouts = late.filter((call) => call.tool === tool).length;
    return { tool, calls: count, errors: errors - timeouts, timeouts, median, p95 };
  });
  const bad = ({ errors, timeouts }: PastTool): number => errors + timeouts;
  return { runs, calls: calls.length, since, tools: [...tools].sort((a, b) => bad(b) - bad(a) || b.p95 - a.p95) };
}
