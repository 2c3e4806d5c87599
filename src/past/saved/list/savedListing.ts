import type { Words } from '../../../text/translator';
import type { SaverId } from '../../../agents/agents';
import type { SavedList, SavedSession } from '../savedSession';
import type { SavedSessions } from './savedSessions';
import type { SessionFilter } from './sessionFilter';

/** The saved sessions of an agent that are shown. */
export interface SavedListing {
  /** Those of the workspace's folders first, then the others; each newest first. */
  readonly sessions: readonly SavedSession[];
  /** How many the agent saved in all. */
  readonly total: number;
  readonly problem?: Words;
  /** What isn't listed, as a sentence. */
  readonly notice?: Words;
  readonly hasOlder: boolean;
  readonly hasOtherFolders: boolean;
  /** How many fit the filter, if there is one, of those that were looked at. */
  readonly filtered?: number;
  /** How many of the newest were looked at, if not all. */
  readonly read?: number;
  /** Whether it may have changed since, unwatched. */
  readonly isOld?: boolean;
}

interface ListingOptions {
  /** The workspace's. */
  readonly folders: readonly string[];
  readonly filter?: SessionFilter | undefined;
  /** How many pages to list. */
  readonly pages: number;
  readonly showsAll: boolean;
  readonly signal?: AbortSignal;
}

/** How many sessions a page has. */
const pageSize = 50;
/** How many sessions to look at for a page: few may be in the workspace's folders, or fit a filter. */
const readPerPage = 2500;

/** Lists sessions of the workspace's folders, or all of them if there are none, if the user wants all, or with a filter. */
export async function listSaved(
  saved: SavedSessions,
  agent: SaverId,
  { folders, filter, pages, showsAll, signal }: ListingOptions,
): Promise<SavedListing> {
  const list = saved.lister(agent);
  const limit = pageSize * pages;
  const options = { limit, maxRead: readPerPage * pages, ...(signal && { signal }) };
  if (filter) {
    const found = await list({ ...options, filter });
    return { ...found, filtered: found.sessions.length, hasOlder: hasOlder(found, limit), hasOtherFolders: false };
  }
  const here = folders.length === 0 ? undefined : await list({ ...options, folders });
  const own = here?.sessions ?? [];
  if (here && own.length > 0 && !showsAll) {
    return { ...here, hasOlder: hasOlder(here, limit), hasOtherFolders: here.total > own.length };
  }
  const all = await list({ ...options, limit });
  const ids = new Set(own.map(({ path, id }) => `${path} ${id}`));
  const others = all.sessions.filter(({ path, id }) => !ids.has(`${path} ${id}`));
  const isWhole = all.sessions.length < limit;
  return {
    ...all,
    sessions: [...own, ...others],
    // Without those of subagents, as soon as all are known.
    total: isWhole ? all.sessions.length : all.total,
    hasOlder: !isWhole && all.total > limit,
    hasOtherFolders: false,
  };
}

function hasOlder({ sessions, read }: SavedList, limit: number): boolean {
  return read !== undefined || sessions.length === limit;
}

/** Changes with everything that is drawn. */
export function signatureOf({
  sessions,
  total,
  problem,
  notice,
  hasOlder,
  hasOtherFolders,
  filtered,
  read,
}: SavedListing): string {
  const drawn = sessions.map(({ path, id, size, modifiedAt, running, title, outcome, kept }) => {
    return [path, id, size, modifiedAt, running, title, outcome, kept?.at];
  });
  return JSON.stringify([drawn, total, problem, notice, hasOlder, hasOtherFolders, filtered, read]);
}
