import type { Words } from '../../../log/translator';
import type { SaverId } from '../../../agents/agents';
import type { SavedSession } from '../../../runs/saved/savedSession';
import type { SavedSessions } from '../../../runs/saved/savedSessions';

/** The saved sessions of an agent that are shown. */
export interface SavedListing {
  /** Those of the workspace's folders first, then the others; each newest first. */
  readonly sessions: readonly SavedSession[];
  /** How many the agent saved in all. */
  readonly total: number;
  readonly problem?: Words;
  readonly hasOlder: boolean;
  readonly hasOtherFolders: boolean;
  /** Whether it may have changed since, unwatched. */
  readonly isOld?: boolean;
}

interface ListingOptions {
  /** The workspace's. */
  readonly folders: readonly string[];
  readonly limit: number;
  readonly showsAll: boolean;
}

/** Lists sessions of the workspace's folders, or all of them if there are none or the user wants all. */
export async function listSaved(
  saved: SavedSessions,
  agent: SaverId,
  { folders, limit, showsAll }: ListingOptions,
): Promise<SavedListing> {
  const here = folders.length === 0 ? undefined : await saved.list(agent, { folders, limit });
  const own = here?.sessions ?? [];
  if (here && own.length > 0 && !showsAll) {
    const hasOlder = own.length === limit;
    return { ...here, hasOlder, hasOtherFolders: here.total > own.length };
  }
  const all = await saved.list(agent, { limit });
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

/** Changes with everything that is drawn. */
export function signatureOf({ sessions, total, problem, hasOlder, hasOtherFolders }: SavedListing): string {
  const drawn = sessions.map(({ path, id, size, modifiedAt, running, title, outcome }) => {
    return [path, id, size, modifiedAt, running, title, outcome];
  });
  return JSON.stringify([drawn, total, problem, hasOlder, hasOtherFolders]);
}
