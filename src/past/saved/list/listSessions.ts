import { saverOf } from '../../../agents/agents';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedWords } from '../../../runLog/reading/redactEvent';
import { Slices } from '../../../time/slices';
import type { Candidate, Candidates, ListOptions, SavedList, SavedSession } from '../savedSession';
import { newestFirst } from './newestFirst';
import { savedFacts } from './sessionFilter';
import { WorkFolders } from './workFolders';

/** Number of sessions to read concurrently. */
const atOnce = 8;
/** Default number of sessions to list. */
const defaultLimit = 200;

export interface ListingHere {
  readonly platform: NodeJS.Platform;
  /** Redacts the paths in problems. Sessions are redacted already. */
  readonly redactor: LineRedactor | undefined;
}

/** Reads candidates, newest first, until there are enough sessions. */
export async function listSessions(
  { all, lag = 0, problem, notice, details }: Candidates,
  options: ListOptions,
  { platform, redactor }: ListingHere,
): Promise<SavedList> {
  const { signal, limit = defaultLimit, folders: paths, since = 0, filter, maxRead = Infinity, onProgress } = options;
  const { until = Infinity } = options;
  const folders = paths && new WorkFolders(paths, platform, redactor);
  const keepsSubagents = options.keepsSubagents === true || options.withUse === true;
  const mayFit = ({ parent, folder, project, modifiedAt }: Candidate): boolean => {
    if (modifiedAt < since - lag || modifiedAt > until || (parent !== undefined && !keepsSubagents)) return false;
    if (!folders || (folder ?? project) === undefined) return true;
    return folder === undefined ? folders.mayHaveProject(project ?? '') : folders.has(folder);
  };
  // Only what was read is sure.
  const fits = (session: SavedSession): boolean =>
    (keepsSubagents || session.parent === undefined) &&
    (lag === 0 || session.modifiedAt >= since) &&
    (!folders || folders.has(session.folder)) &&
    (!filter || filter.fits({ ...savedFacts(session, saverOf(session.agent).label), title: session.title }));
  const slices = new Slices();
  const candidates = await slices.flatMap(all, (one) => (mayFit(one) ? one : []));
  const sessions: SavedSession[] = [];
  let others = all.filter(({ parent }) => parent !== undefined).length;
  let at = 0;
  while (at < candidates.length && at < maxRead && sessions.length < limit && signal?.aborted !== true) {
    const batch = candidates.slice(at, at + (folders || filter ? atOnce : Math.min(atOnce, limit - sessions.length)));
    for (const [index, session] of (await details(batch)).entries()) {
      if (sessions.length >= limit) break;
      at++;
      if (!session || (session.parent !== undefined && batch[index]?.parent === undefined)) others++;
      if (session && fits(session)) sessions.push(session);
    }
    onProgress?.({ read: at, total: candidates.length });
    // Cached details need no I/O, which would let other work run.
    if (slices.isSpent) await slices.next();
  }
  const isCut = at < candidates.length && sessions.length < limit;
  return {
    // Some changed later than their row says.
    sessions: await newestFirst(sessions),
    total: all.length - others,
    ...(problem !== undefined && { problem: redactedWords(problem, redactor) }),
    ...(notice !== undefined && { notice: redactedWords(notice, redactor) }),
    ...(isCut && { read: at }),
  };
}
