import type { SavedAgent } from '../../protocols/saved/savedFormat';

/** How the newest turn of a session ended; `open` if the file doesn't say. */
export type SavedOutcome = 'completed' | 'failed' | 'interrupted' | 'open';

/** What is known of a session's file before anything in it is read. */
export interface SavedFile {
  readonly agent: SavedAgent;
  /** The agent's own id of the session, as far as the file's name has it. */
  readonly id: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** The name of the folder that stands for the project that the agent worked in, for agents that sort by it. */
  readonly project?: string;
  /** A small file beside it that describes the session. */
  readonly about?: string;
}

/** What the beginning and the end of a file say. */
export interface SavedDetails {
  /** The agent's own id of the session. */
  readonly id?: string;
  readonly title?: string;
  /** The folder that the agent worked in. */
  readonly folder?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  /** The newest time in the file, likewise. */
  readonly lastAt?: number;
  readonly model?: string;
  readonly version?: string;
  readonly outcome?: SavedOutcome;
  /** Why the newest turn failed. */
  readonly problem?: string;
  /** The session that started this one. */
  readonly parent?: string;
}

/** A session that an agent saved on this machine. */
export interface SavedSession extends SavedFile, SavedDetails {
  readonly id: string;
  /** Whether its agent runs now: known from a process, or else likely because the file was just written. */
  readonly running?: 'yes' | 'likely';
}

export interface SavedList {
  /** Newest first. */
  readonly sessions: readonly SavedSession[];
  /** Sessions that the agent saved in all, subagents' and unread ones included. */
  readonly total: number;
  /** Why there is nothing to list, in a sentence for people. */
  readonly problem?: string;
}

/** A session that can be searched without being read. */
export interface SearchableSession {
  readonly agent: SavedAgent;
  /** Different for each session. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Its files, those of subagents included; none for rows of a database. */
  readonly paths: readonly string[];
  /** Of a database: the rows that contain all words, at most so many. */
  readonly rows?: (
    words: readonly string[],
    limit: number,
  ) => readonly { readonly text: string; readonly at: number }[];
  /** Reads what is known of it; of a subagent's session, the one that started it. */
  session(): Promise<SavedSession>;
}
