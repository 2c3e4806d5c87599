import type { JsonObject } from '../../../text/json';
import { numberOf, textOf } from '../../../text/json';
import type { Retry } from '../../../protocols/agentWriter/verbs';

/** A failed request that was only logged beside a session, as a line of that session. */
export interface BesideRetry extends Retry {
  readonly type: typeof retryType;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** A line of a session that only a log beside it has: a retry, or what the agent's reader knows. */
export type BesideLine = BesideRetry | (JsonObject & { readonly timestamp: string });

const retryType = 'agent-logs.retry';

/** Parses a line written as `BesideRetry`; `undefined` for any other. */
export function besideRetry(line: JsonObject): Retry | undefined {
  if (line['type'] !== retryType) return undefined;
  const { why, attempt, max, inMs, status } = line;
  return {
    why: textOf(why) ?? 'the request failed',
    attempt: numberOf(attempt),
    max: numberOf(max),
    inMs: numberOf(inMs),
    status: numberOf(status),
  };
}

/** @param at milliseconds since the epoch; there is no line for an invalid time */
export function retryLine(at: number, fields: Omit<BesideRetry, 'type' | 'timestamp'>): BesideRetry | undefined {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return undefined;
  return { type: retryType, timestamp: new Date(at).toISOString(), ...fields };
}
