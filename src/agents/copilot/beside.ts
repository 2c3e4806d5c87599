import { numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { BesideRetry } from '../reading/saved/besideLines';
import { retryLine } from '../reading/saved/besideLines';
import type { BesideForm } from '../beside';

/** Maximum number of process logs to read. */
const maxLogs = 20;
/** Tolerance for inexact clocks and file times, in milliseconds. */
const slack = 60_000;

/** The logs of Copilot's processes, named after when they began. */
export const beside: BesideForm = {
  async retries({ id, startedAt = 0, lastAt = 0, modifiedAt }, files) {
    const during = (await files.names('logs')).filter((name) => {
      const began = Number(/^process-(\d{1,15})-\d+\.log$/.exec(name)?.[1] ?? NaN);
      return began <= Math.max(lastAt, modifiedAt) + slack;
    });
    const found: BesideRetry[] = [];
    for (const name of during.slice(-maxLogs)) {
      found.push(...copilotRetries(await files.lines(['logs', name], mayCount, startedAt - slack), id));
    }
    return found;
  },
};

function mayCount(line: string): boolean {
  return line.includes('Workspace initialized') || line.includes('Model provider request failed');
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
    const one = retryLine(Date.parse(time), {
      why,
      ...(status !== undefined && { status }),
      inMs,
    });
    if (one) found.push(one);
  }
  return found;
}
