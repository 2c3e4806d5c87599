import { verbatim } from '../text/translator';
import type { Query } from '../query/query';
import type { LogRecord } from '../text/record';
import { HumanError } from '../text/humanError';
import type { RunView } from '../runLog/runView';
import { isLive } from '../runLog/runView';
import { maxRows, RecordResult } from '../matches/recordResult';
import { whenDone } from '../matches/whenDone';
import { RegexWorker } from '../machine/regexWorker';

/**
 * Runs a query to its end and returns what `take` reads from the result.
 * @throws HumanError if a regular expression is invalid or too slow
 */
export async function queryRun<Answer>(
  run: RunView,
  query: Query,
  take: (result: RecordResult) => Answer | Promise<Answer>,
): Promise<Answer> {
  const regex = new RegexWorker();
  const result = new RecordResult(run.log, query, { now: () => nowOf(run), regex });
  try {
    await whenDone(result);
    if (result.state.error !== undefined) throw new HumanError(verbatim(result.state.error));
    return await take(result);
  } finally {
    result.dispose();
    regex.dispose();
  }
}

/** One page of matching records. */
export interface RecordsFound {
  readonly total: number;
  /** Oldest first. */
  readonly records: LogRecord[];
}

/** Maximum number of records in a page. */
const maxCount = 1000;

/**
 * A page of the matches: `count` records from position `from` on, oldest first; without `from`, the newest.
 * @throws HumanError if a regular expression is invalid or too slow
 */
export function queryPage(
  run: RunView,
  query: Query,
  { from, count = 100 }: { readonly from?: number; readonly count?: number },
): Promise<RecordsFound> {
  return queryRun(run, query, async (result) => {
    const { total } = result.state;
    const wanted = Math.max(0, Math.min(maxCount, Math.floor(count) || 0, total));
    const first = Math.max(0, Math.floor(from ?? total - wanted) || 0);
    const records: LogRecord[] = [];
    for (let at = first; at < first + wanted; at += maxRows) {
      records.push(...(await result.rows(at, Math.min(maxRows, first + wanted - at))));
    }
    return { total, records };
  });
}

/** The reference for relative times: now, or the end of a run that has ended. In milliseconds since the epoch. */
export function nowOf(run: RunView): number {
  if (run.state.type === 'ended') return run.state.at;
  if (isLive(run) || run.state.type === 'following') return Date.now();
  return Math.max(run.log.connection.lastAt, ...run.log.sessions.map(({ lastAt }) => lastAt));
}
