import { isBuiltin } from 'node:module';
import type { JsonObject } from '../../src/text/json';
import type { Database } from '../../src/agents/database';
import type { Databases } from '../../src/past/saved/sqlite';

/** Databases that answer each query from rows in memory. */
export function fakeDatabases(
  answer: (sql: string, values: readonly (string | number)[], path: string) => readonly JsonObject[],
): Databases & { readonly opened: readonly string[] } {
  const opened: string[] = [];
  return {
    opened,
    query: async (path, _tables, read) => {
      opened.push(path);
      return read(databaseOf((sql, values) => answer(sql, values, path)));
    },
  };
}

export function databaseOf(
  answer: (sql: string, values: readonly (string | number)[]) => readonly JsonObject[],
): Database {
  return {
    columns: new Map(),
    page: async (sql, ...values) => ({ rows: await Promise.resolve(answer(sql, values)), isCut: false }),
  };
}

interface WritableDatabase {
  exec(sql: string): void;
  close(): void;
}

/** True if this Node.js has SQLite; tests that need it check something else otherwise. */
export const hasSqlite = isBuiltin('node:sqlite');

/** Writes an SQLite database; only if `hasSqlite`. */
export function writeDatabase(path: string, ...statements: readonly string[]): void {
  const { getBuiltinModule } = process as unknown as {
    readonly getBuiltinModule: (name: string) => {
      readonly DatabaseSync: new (path: string, options: object) => WritableDatabase;
    };
  };
  const { DatabaseSync } = getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(path, { defensive: false });
  for (const statement of statements) database.exec(statement);
  database.close();
}
