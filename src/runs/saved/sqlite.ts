import { objectOf } from '../../log/json';
import type { JsonObject } from '../../log/json';

/** A read-only database. */
export interface Database {
  /** @throws if the query fails, such as for a missing table */
  all(sql: string, ...values: readonly string[]): readonly JsonObject[];
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean; readonly timeout?: number },
  ) => {
    prepare(sql: string): { all(...values: readonly string[]): unknown[] };
    close(): void;
  };
}

/** How long to wait for a locked database, in milliseconds. */
const timeout = 500;

/** Opens a database read-only, including its write-ahead log, which `immutable` would miss. */
export type OpenDatabase = (path: string) => Database;

/** @throws if the database can't be opened or read */
export function queryDatabase<T>(open: OpenDatabase, path: string, read: (database: Database) => T): T {
  const database = open(path);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** `undefined` if this Node version has no `node:sqlite` (before 22.13, so VS Code before 1.101). */
export function nodeSqlite(): OpenDatabase | undefined {
  const sqlite = builtIn();
  if (!sqlite) return undefined;
  return (path) => {
    const database = new sqlite.DatabaseSync(path, { readOnly: true, timeout });
    return {
      all: (sql, ...values) =>
        database
          .prepare(sql)
          .all(...values)
          .map(objectOf),
      close: () => database.close(),
    };
  };
}

/** Not an import, because bundlers and older versions of Node don't know it. */
function builtIn(): SqliteModule | undefined {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  try {
    return getBuiltinModule?.('node:sqlite') as SqliteModule | undefined;
  } catch {
    return undefined;
  }
}
