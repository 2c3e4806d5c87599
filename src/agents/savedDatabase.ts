import type { Usage } from '../work/activity';
import type { KeyedLine } from './reading/saved/keyedLine';
import type { Database } from './database';
import type { SavedDetails } from './savedDetails';

/** How much later than its row says a session may have changed, in milliseconds: some agents write it only when a turn begins. */
export const rowLag = 24 * 60 * 60 * 1000;

/** How an agent saves sessions as rows of one database. */
export interface SavedDatabase {
  /** Its name in the agent's folder. */
  readonly file: string;
  /** Names of others there. */
  readonly otherFiles?: RegExp;
  /** The folder below the agent's with the sessions of versions without a database. The first start of a newer one copies them to it. */
  readonly before?: { readonly version: string; readonly folder: readonly string[] };
  /** An environment variable with another name or path, which is then the only one. */
  readonly fileVariable?: string;
  /** The tables that are read, if they exist. */
  readonly tables: readonly string[];
  /** True if it's this agent's: other programs have tables with the same names. */
  recognises(database: Database): boolean;
  /** The sessions, newest first, including subagents. @param limit default: all */
  sessions(database: Database, limit?: number): Promise<readonly SavedRow[]>;
  /** The sessions that another one started, oldest first. */
  children(database: Database, id: string): Promise<readonly SavedRow[]>;
  /** How a session's newest turn ended, and details that `sessions` lacks. */
  outcome(database: Database, id: string): Promise<SavedDetails>;
  /** What model requests used, of all sessions that changed since then, in milliseconds since the epoch. */
  usages(database: Database, since: number): Promise<Usages>;
  /** The rows of a session and of its subagents that contain all words, oldest first. */
  matches(database: Database, id: string, words: readonly string[], limit: number): Promise<readonly SavedMatch[]>;
  rows(id: string): SessionRows;
}

export interface SavedRow extends SavedDetails {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

export interface Usages {
  readonly requests: readonly RequestUsage[];
  /** True if there are more. */
  readonly isCut: boolean;
}

interface RequestUsage {
  readonly session: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly usage: Usage | undefined;
}

/** A row that contains the search words. */
export interface SavedMatch {
  /** JSON as stored in the database. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Reads the rows of a session, and afterwards those that are new or have changed. */
export interface SessionRows {
  /** The next rows as lines; `undefined` at the current end. @throws if there is no such session */
  read(database: Database): Promise<readonly KeyedLine[] | undefined>;
  /** Looks for rows that are new or have changed. */
  isChanged(database: Database): Promise<boolean>;
  /** True if all rows were read, and no change was found. */
  readonly isAtEnd: boolean;
  /** Bytes read so far. */
  readonly bytes: number;
}
