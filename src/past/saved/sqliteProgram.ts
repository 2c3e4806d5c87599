import type { MessagePort, Worker } from 'node:worker_threads';
import type { Database, Page } from '../../agents/database';
import type { JsonObject } from '../../text/json';

type Values = readonly (string | number)[];

/** What the process is asked. */
export type Question =
  | { readonly type: 'open'; readonly path: string; readonly tables: readonly string[] }
  | { readonly type: 'select'; readonly sql: string; readonly values: Values }
  | { readonly type: 'close' };

/** Its answer to the question with this ID. The first one, with the ID 0, says that it is ready. */
export interface Answer extends Partial<Page & Pick<Database, 'columns'>> {
  readonly id: number;
  readonly error?: string;
  /** SQLite's result code, if the error is one of its own. */
  readonly code?: number | undefined;
}

/** A part of `node:sqlite`. */
interface Sqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: true; readonly timeout: number },
  ) => {
    exec(sql: string): void;
    prepare(sql: string): {
      all(...values: Values): readonly JsonObject[];
      iterate(...values: Values): Iterable<JsonObject>;
    };
    close(): void;
  };
}

/** The source of the process's program: a separate file would have to be located in every kind of build. */
export function sqliteProgram(): string {
  const thread = `(${answerQuestions.toString()})(require('node:sqlite'), require('node:worker_threads').parentPort)`;
  return `(${relay.toString()})(require('node:worker_threads'), ${JSON.stringify(thread)})`;
}

// The two use nothing but their parameters, and have no named functions, because the loader of the tests adds a helper for them.

/** Runs in the process, which must end with this one even while a query runs. */
function relay(threads: { readonly Worker: typeof Worker }, program: string): void {
  const thread = new threads.Worker(program, { eval: true });
  thread.on('message', (answer) => process.send?.(answer));
  process.on('message', (question) => thread.postMessage(question));
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

/** Runs in its thread. */
function answerQuestions({ DatabaseSync }: Sqlite, port: MessagePort): void {
  const lockTimeout = 500; // milliseconds
  const maxAnswer = 8 * 1024 * 1024; // characters
  let database: InstanceType<typeof DatabaseSync> | undefined;
  const answers = {
    open(path: string, tables: readonly string[]) {
      database = new DatabaseSync(path, { readOnly: true, timeout: lockTimeout });
      database.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0');
      // Not sqlite_master, whose types may be forged.
      const types = database.prepare('select type from pragma_table_list where schema = ? and lower(name) = ?');
      const columns = new Map<string, ReadonlySet<string>>();
      for (const table of tables) {
        const [known] = types.all('main', table);
        if (known === undefined) continue;
        const all = database.prepare('select name, hidden from pragma_table_xinfo(?)').all(table);
        // Generated columns that are stored (3) run nothing when they are read.
        const isOrdinary = known['type'] === 'table' && all.every(({ hidden }) => hidden === 0 || hidden === 3);
        if (!isOrdinary) throw new Error(`${table} is not an ordinary table`);
        columns.set(table, new Set(all.map(({ name }) => String(name))));
      }
      return { columns };
    },
    select(sql: string, values: Values) {
      const rows: JsonObject[] = [];
      let size = 0;
      for (const row of database?.prepare(sql).iterate(...values) ?? []) {
        for (const value of Object.values(row)) size += (value as { readonly length?: number } | null)?.length ?? 8;
        if (size > maxAnswer && rows.length > 0) return { rows, isCut: true };
        rows.push(row);
      }
      return { rows };
    },
  };
  port.on('message', ({ id, ...question }: Question & Pick<Answer, 'id'>) => {
    try {
      if (question.type === 'open') port.postMessage({ id, ...answers.open(question.path, question.tables) });
      else if (question.type === 'select') port.postMessage({ id, ...answers.select(question.sql, question.values) });
      else {
        database?.close();
        database = undefined;
        port.postMessage({ id });
      }
    } catch (error) {
      const { message = String(error), errcode: code } = error as {
        readonly message?: string;
        readonly errcode?: number;
      };
      port.postMessage({ id, error: message, code });
    }
  });
  port.postMessage({ id: 0 });
}
