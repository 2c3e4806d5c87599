import type { BesideRetry } from '../reading/saved/besideLines';
import { retryLine } from '../reading/saved/besideLines';
import type { BesideForm } from '../beside';

export const beside: BesideForm = {
  async retries({ id }, files) {
    return opencodeRetries(await files.lines(['log', 'opencode.log'], (line) => line.includes(id)), id);
  },
};

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
  return retryLine(at, { why: (error ?? 'stream error').replace(/^AI_APICallError: /, '') });
}
