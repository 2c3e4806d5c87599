import type { JsonObject } from '../../log/json';
import { numberOf, objectOf, textOf } from '../../log/json';
import { parsedJson } from '../../log/jsonText';
import type { Retry } from './writer/savedNotes';

/** A failed request that was only logged beside a session, as a line of that session. */
export interface BesideRetry extends Retry {
  readonly type: typeof retryType;
  /** ISO 8601. */
  readonly timestamp: string;
}

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

/**
 * Reads a row that `codex_core::responses_retry` wrote to Codex' `logs_2.sqlite`.
 * @param at milliseconds since the epoch
 */
export function codexRetry(body: string, at: number): BesideRetry | undefined {
  const end = body.slice(-2000);
  const [, attempt, max, time] = /\((\d{1,6})\/(\d{1,6}) in ([\d.]{1,20}m?s)\)/.exec(end) ?? [];
  const error = /\bsampling_error=([\s\S]{1,1000})$/.exec(end)?.[1];
  if (attempt === undefined || max === undefined) return undefined;
  const status = /\b(?:status:? |status=)([45]\d\d)\b/.exec(error ?? '')?.[1];
  const ms = time === undefined ? NaN : parseFloat(time) * (time.endsWith('ms') ? 1 : 1000);
  return retry(at, {
    why: error ?? 'the stream was disconnected',
    attempt: Number(attempt),
    max: Number(max),
    ...(Number.isFinite(ms) && { inMs: Math.round(ms) }),
    ...(status !== undefined && { status: Number(status) }),
  });
}

/**
 * The retries in `opencode.log` for one session. A failed request is a retry if the session's next event is another request, or if it was still waiting
 * to retry.
 */
export function opencodeRetries(lines: Iterable<string>, sessionId: string): readonly BesideRetry[] {
  const found: BesideRetry[] = [];
  let failed: BesideRetry | undefined;
  const isOwn = new RegExp(` session\\.id=${sessionId.replace(/[^\w-]/g, '')}(?= |$)`);
  for (const line of lines) {
    if (!line.includes(sessionId) || !isOwn.test(line) || line.includes(' small=true')) continue;
    const isRequest = / message=stream /.test(line);
    if (failed && isRequest) found.push(failed);
    if (isRequest || / message=loop /.test(line)) failed = undefined;
    if (line.includes(' message="stream error"')) failed = opencodeRetry(line) ?? failed;
  }
  return failed && isLimit.test(failed.why) ? [...found, failed] : found;
}

/** Errors after which a request is retried. */
const isLimit = /\b(?:rate|usage) limit\b|\boverloaded\b|\bquota\b|\btoo many requests\b/i;

function opencodeRetry(line: string): BesideRetry | undefined {
  const at = Date.parse(/^timestamp=(\S{1,40})/.exec(line)?.[1] ?? '');
  const error = / error\.error="((?:[^"\\]|\\.){1,2000})"/.exec(line)?.[1]?.replaceAll('\\"', '"');
  return retry(at, { why: (error ?? 'stream error').replace(/^AI_APICallError: /, '') });
}

/** The retries of one session in the log of a Copilot process. */
export function copilotRetries(lines: Iterable<string>, sessionId: string): readonly BesideRetry[] {
  const found: BesideRetry[] = [];
  let isOwn = false;
  for (const line of lines) {
    const initialized = /\] Workspace initialized: ([0-9a-f-]{36})/.exec(line.slice(0, 200))?.[1];
    if (initialized !== undefined) isOwn = initialized === sessionId;
    const [, time, json] =
      /^(\S{20,30}) \[WARNING\] .{0,100}Model provider request failed (\{.{1,4000}\})\s*$/.exec(line.slice(0, 5000)) ??
      [];
    if (!isOwn || time === undefined || json === undefined) continue;
    const details = objectOf(parsedJson(json));
    const status = numberOf(details['http_status']);
    const inMs = numberOf(details['retry_after_ms']);
    const kind = textOf(details['failure_kind'])?.replaceAll('_', ' ') ?? 'failed';
    const why = status === undefined ? `the model provider failed: ${kind}` : `the model provider answered ${status}`;
    // Requests without a delay aren't retried.
    if (inMs === undefined) continue;
    const one = retry(Date.parse(time), {
      why,
      ...(status !== undefined && { status }),
      inMs,
    });
    if (one) found.push(one);
  }
  return found;
}

function retry(at: number, fields: Omit<BesideRetry, 'type' | 'timestamp'>): BesideRetry | undefined {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return undefined;
  return { type: retryType, timestamp: new Date(at).toISOString(), ...fields };
}
