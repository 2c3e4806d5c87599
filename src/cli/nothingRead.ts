import type { ReadTally } from '../runLog/reading/readTally';
import type { RunLog } from '../runLog/runLog';

/**
 * Why a file isn't a run, as the end of a sentence; `undefined` if something of one was read. All commands ask this.
 * @param log what was read from it; omitted if only its lines are
 */
export function nothingIn(log: Pick<RunLog, 'lastSeq'> | undefined, tally: ReadTally | undefined): string | undefined {
  return tally?.nothing ?? (log?.lastSeq === 0 ? 'has no run: nothing in it says what an agent did.' : undefined);
}
