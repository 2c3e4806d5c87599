import type { SavedList, SavedSession, SearchableSession } from './savedSession';
import type { WatchedFile } from './savedWatch';

export interface ListOptions {
  readonly signal?: AbortSignal;
  /** Maximum number of sessions to read. */
  readonly limit?: number;
  /** Only sessions that worked in one of these folders or their subfolders. */
  readonly folders?: readonly string[];
  readonly onProgress?: (progress: { readonly read: number; readonly total: number }) => void;
}

/** The saved sessions of one agent. They are only read on request, and never written. */
export interface SavedStore {
  /** True if there may be any. */
  exists(): Promise<boolean>;
  /** The newest sessions, without those of subagents. */
  list(options: ListOptions): Promise<SavedList>;
  /** The files to watch, newest first. */
  files(): Promise<readonly WatchedFile[]>;
  /** Finds a session by the agent's ID, or by the end of it. */
  find(id: string): Promise<SavedSession | undefined>;
  /** The searchable sessions, newest first. Doesn't read them. */
  searchable(signal?: AbortSignal): Promise<readonly SearchableSession[]>;
  /** The sessions among which are those that this one started, for agents that save them separately. */
  related(session: SavedSession): Promise<readonly SavedSession[]>;
}
