import type { TimeRange } from '../../query/timeAxis';
import type { Outcome } from '../../work/outcome';

/** A tool call of an agent, or a request to an MCP server. Times are in milliseconds since the epoch. */
export interface Call {
  /** Unique in its run. */
  readonly id: string;
  /** The tool's name, or the titles that may contain it. */
  readonly names: readonly string[];
  /** Stands for its arguments: see `inputDigest`. */
  readonly input: string | undefined;
  /** What identifies it in the other run: a trace context, or the agent's ID of the call. */
  readonly marks: readonly string[];
  /** The ID of its trace. */
  readonly trace: string | undefined;
  readonly startedAt: number;
  /** Absent while it is open. */
  readonly endedAt: number | undefined;
  readonly outcome: Outcome | undefined;
}

/** A request to a server. */
export interface ServerCall extends Call {
  readonly run: string;
  /** The server's name, as its client knows it. */
  readonly server: string;
}

/** `mark`: both runs have the same trace context or call ID; `trace`: both are in one trace; else names, arguments and times fit. */
export type JoinedBy = 'mark' | 'trace' | 'inferred';

/** A request to a server, and the agent's call that caused it. */
export interface Join {
  readonly call: string;
  readonly run: string;
  readonly request: string;
  readonly by: JoinedBy;
}

/**
 * From the start of the first call to the end of the last, without end while one is open.
 * @param around how much earlier and later the other ends of the calls may be, in milliseconds
 */
export function timesOf(calls: Iterable<Call>, around = 0): TimeRange {
  let [from, to] = [Infinity, -Infinity];
  for (const { startedAt, endedAt = Infinity } of calls) {
    from = Math.min(from, startedAt - around);
    to = Math.max(to, endedAt + around);
  }
  return { from, to };
}
