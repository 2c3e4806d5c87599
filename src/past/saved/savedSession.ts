import type { Words } from '../../text/translator';
import type { SaverId } from '../../agents/agents';
import type { SavedDetails } from '../../agents/savedDetails';
import type { Ongoing } from '../../diagnosis/sessionSummary';
import type { MarkedState } from '../../agents/savedForm';
import type { KeptCopy } from './kept/keptCopy';
import type { SessionFilter } from './list/sessionFilter';
import type { WatchedFile } from './list/savedWatch';

/** What is known about a session's file before it is read. */
export interface SavedFile {
  readonly agent: SaverId;
  /** The agent's session ID, as far as the file name has it. */
  readonly id: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Name of the project's folder, for agents that name it after the working folder. */
  readonly project?: string;
  /** A small file beside it that describes the session. */
  readonly about?: string;
}

/** A session that an agent saved on this machine. */
export interface SavedSession extends SavedFile, SavedDetails {
  readonly id: string;
  /** The ID in its file's name, if that is another. */
  readonly fileId?: string;
  /** Set if its agent is running, as its marks or its process say. */
  readonly running?: 'yes';
  /** The process that its agent's mark names. */
  readonly pid?: number;
  /** What that mark says that it does. */
  readonly marked?: MarkedState;
  /** Our copy of it. */
  readonly kept?: KeptCopy;
  /** True if the agent has deleted it, so that this is the copy. */
  readonly isGone?: boolean;
}

/** A session before it is read. Rows of a database have some details. */
export type Candidate = SavedFile & SavedDetails;

/** The sessions that a list may have. */
export interface Candidates {
  /** Newest first. */
  readonly all: readonly Candidate[];
  /** How much later than it says a candidate may have changed, in milliseconds; default: not at all. */
  readonly lag?: number;
  /** Why there are none, as a sentence. */
  readonly problem?: Words | undefined;
  /** What is missing although there may be others, as a sentence. */
  readonly notice?: Words | undefined;
  /** Reads some; `undefined` for one that is still empty. */
  readonly details: (some: readonly Candidate[]) => Promise<readonly (SavedSession | undefined)[]>;
}

export interface SavedList {
  /** Newest first. */
  readonly sessions: readonly SavedSession[];
  /** Total number of saved sessions, including unread ones, which may be subagents. */
  readonly total: number;
  /** Why there is nothing to list, as a sentence. */
  readonly problem?: Words;
  /** What isn't listed, as a sentence. */
  readonly notice?: Words;
  /** How many of the newest were looked at, if `maxRead` left out older ones. */
  readonly read?: number;
}

/** A session that can be searched without being read. */
export interface SearchableSession {
  readonly agent: SaverId;
  /** As its file's name has it. */
  readonly id: string;
  /** Unique per session. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Its files, including those of subagents; empty for rows of a database. */
  readonly paths: readonly string[];
  /** For a database: the rows that contain all words, up to a limit. */
  readonly rows?: (
    words: readonly string[],
    limit: number,
  ) => Promise<readonly { readonly text: string; readonly at: number }[]>;
  /** Reads its details; for a subagent, those of its parent session. */
  session(): Promise<SavedSession>;
}

export interface ListOptions {
  readonly signal?: AbortSignal;
  /** Maximum number of sessions to read. */
  readonly limit?: number;
  /** Only sessions that worked in one of these folders or their subfolders. */
  readonly folders?: readonly string[];
  /** Only sessions whose file changed since then, in milliseconds since the epoch. */
  readonly since?: number;
  /** The same, for those that haven't changed since then. */
  readonly until?: number;
  /** Also those that other sessions started. */
  readonly keepsSubagents?: boolean;
  /** Also what they used, with all that other sessions started. */
  readonly withUse?: boolean;
  readonly filter?: SessionFilter | undefined;
  /** Maximum number of sessions to look at for `folders` and `filter`; default: all. */
  readonly maxRead?: number;
  readonly onProgress?: (progress: { readonly read: number; readonly total: number }) => void;
}

/** What the open turn of one session does. */
export interface TurnSource {
  /** `undefined` if its records don't say, or can't be read. @param session as it was read last */
  doing(session: SavedSession): Promise<Ongoing | undefined>;
}

/** The saved sessions of one agent. They are only read on request, and never written. */
export interface SavedStore {
  /** Those of its folders that may have any. */
  folders(): Promise<readonly string[]>;
  /** Those to choose from for a list. */
  candidates(options: ListOptions): Promise<Candidates>;
  /** The files to watch, newest first. @param wanted only sessions with these IDs in their files' names */
  files(wanted?: { readonly isWanted: (id: string) => boolean }): Promise<readonly WatchedFile[]>;
  /** Reads sessions that were read before, or whose files were found, again. Of a database, the newest ones. */
  again(files: readonly WatchedFile[]): Promise<readonly SavedSession[]>;
  /** Reads what the open turn of a session does, as often as it changes. */
  turn(session: SavedSession): TurnSource;
  /** Finds a session by the agent's ID, or by the end of it. */
  find(id: string): Promise<SavedSession | undefined>;
  /** The searchable sessions, newest first. Doesn't read them. */
  searchable(signal?: AbortSignal): Promise<readonly SearchableSession[]>;
  /** The sessions among which are those that this one started, for agents that save them separately. */
  related(session: SavedSession): Promise<readonly SavedSession[]>;
}
