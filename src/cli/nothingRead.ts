import type { ReadTally } from '../runLog/reading/readTally';
import { expectedFile } from '../runLog/reading/readTally';
import type { RunLog } from '../runLog/runLog';
import { workKinds } from '../timeline/span';

/** The header of a session is a few records. */
const maxHeader = 20;

/**
 * Why a file isn't a run, as the end of a sentence, and what to do; `undefined` if something of one was read. All commands ask this.
 * @param log what was read from it
 * @param isSaved whether it is a saved session
 */
export function nothingIn(log: RunLog, tally: ReadTally, isSaved: boolean): string | undefined {
  const { nothing, isJournal, isLog, isCutDocument } = tally;
  if (nothing !== undefined) return nothing;
  if (isJournal || log.spans({ kinds: workKinds, limit: 1 }).length > 0) return undefined;
  if (!isLog) return `is not a run: its JSON has no message, level or time. ${expectedFile}`;
  if (isCutDocument) return 'cannot be read: its JSON document has no end. Copy or export it again.';
  if (isSaved || isHeader(log)) {
    return 'has no run: nothing in it says what an agent did. Name a session in which it did something.';
  }
  return undefined;
}

function isHeader({ lastSeq, store }: RunLog): boolean {
  return lastSeq <= maxHeader && store.query().every(({ kind }) => kind === 'lifecycle');
}
