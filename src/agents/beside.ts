import type { BesideLine, BesideRetry } from './reading/saved/besideLines';
import type { Database } from './database';

/** What an agent keeps beside its sessions. Names lead from the agent's folder; what is missing is empty. `past/saved` reads it. */
export interface Beside {
  /** The names in a folder. */
  names(...folder: readonly string[]): Promise<readonly string[]>;
  /**
   * The newest wanted lines of a file.
   * @param since none if it was last written before, in milliseconds since the epoch
   */
  lines(names: readonly string[], isWanted: (line: string) => boolean, since?: number): Promise<readonly string[]>;
  /** The text of a small file; `undefined` if it is missing or too large. */
  text(names: readonly string[]): Promise<string | undefined>;
  /**
   * Reads a database; empty if there is none.
   * @param name of its file; its first group is the version, and the newest counts
   * @param tables the names that `read` selects from
   * @throws if it can't be read
   */
  rows<T>(
    name: RegExp,
    tables: readonly string[],
    read: (database: Database) => Promise<readonly T[]>,
  ): Promise<readonly T[]>;
}

/** What is known about a session whose log is read. Times are in milliseconds since the epoch. */
export interface LoggedSession {
  readonly id: string;
  /** Lead from the agent's folder to the session's file. */
  readonly names: readonly string[];
  readonly startedAt?: number;
  readonly lastAt?: number;
  readonly modifiedAt: number;
}

/** What only files beside the sessions have. */
export interface BesideForm {
  /** An environment variable with the folder of the agent's databases, if it isn't the agent's. */
  readonly databases?: string;
  /** The failed requests of a session that only a log has, oldest first. */
  retries?(session: LoggedSession, beside: Beside): Promise<readonly BesideRetry[]>;
  /** What `lines` are, for the documents. */
  readonly linesAre?: string;
  /** Other lines that only a file beside the session has, oldest first. */
  lines?(session: LoggedSession, beside: Beside): Promise<readonly BesideLine[]>;
  /** The names of sessions, by ID. */
  readonly titles?: (beside: Beside) => Promise<ReadonlyMap<string, string>>;
}
