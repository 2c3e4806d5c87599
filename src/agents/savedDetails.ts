import type { FailureClass } from '../work/failures/failurePatterns';
import type { ReportedOutcome } from '../work/outcome';
import type { KnownQuota } from '../work/usage/quotas';

/** How the newest turn of a session ended; `open` if the file doesn't say. */
export type SavedOutcome = Exclude<ReportedOutcome, 'refused'> | 'open';

/** Details from the beginning and end of a file. */
export interface SavedDetails {
  /** The agent's session ID. */
  readonly id?: string;
  readonly title?: string;
  /** The agent's working directory. */
  readonly folder?: string;
  /** The Git branch of that directory when the session began, if its agent notes it. */
  readonly branch?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  /** The newest time in the file, in milliseconds since the epoch. */
  readonly lastAt?: number;
  readonly model?: string;
  readonly version?: string;
  readonly outcome?: SavedOutcome;
  /** True if the agent marks the session as one whose turn runs; a kill leaves the mark behind. */
  readonly isBusy?: boolean;
  /** Why the newest turn failed, in the agent's words. */
  readonly problem?: string;
  /** What kind of failure these words report. */
  readonly failure?: FailureClass;
  /** The session that started this one. */
  readonly parent?: string;
  /** The session that this one was forked from; empty if the agent doesn't say which one. */
  readonly forkedFrom?: string;
  /** What its model requests used, as far as they were read; the newest days only. */
  readonly used?: readonly DayUsed[];
  /** The windows of the account's limits, as they were reported last. */
  readonly limits?: readonly KnownQuota[];
  /** True if the middle of the file wasn't read, so that it may have used more. */
  readonly isPart?: boolean;
  /** True if the whole file was read, and it has no message. */
  readonly isEmpty?: boolean;
  /** True if `used` includes what subagents used that are saved in files of their own. */
  readonly hasSubagents?: boolean;
}

/** Tokens of a local day, such as `2026-11-23`. */
export interface DayUsed {
  readonly day: string;
  readonly tokens: number;
  readonly costUsd?: number;
}

/** Details without those that are undefined. */
export function knownDetails(details: {
  readonly [K in keyof SavedDetails]?: SavedDetails[K] | undefined;
}): SavedDetails {
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(details)) if (value !== undefined) known[name] = value;
  return known;
}
