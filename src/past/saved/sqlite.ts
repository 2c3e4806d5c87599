import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { t, WordsError } from '../../text/translator';
import { arrayOf, objectOf, textOf } from '../../text/json';
import type { JsonObject } from '../../text/json';
import type { Database, Page } from '../../agents/database';

/** Reads the databases of agents, including their write-ahead logs, which `immutable` would miss. */
export interface Databases {
  /**
   * @param tables the names that `read` selects from, as far as they exist; views and virtual tables can run for ever, so they are refused
   * @throws if the database can't be opened or read, or a name is that of something else than an ordinary table
   */
  query<T>(path: string, tables: readonly string[], read: (database: Database) => Promise<T>): Promise<T>;
}

/** `undefined` if this Node version has no `node:sqlite` (before 22.13, so VS Code before 1.101). */
export function nodeSqlite(): Databases | undefined {
  return isBuiltin('node:sqlite') ? new SqliteProcess() : undefined;
}

/** How long to wait for a locked database, in milliseconds. */
const lockTimeout = 500;
/** Maximum size of an answer, in characters. */
const maxAnswer = 8 * 1024 * 1024;
/** Time limit for a query, in milliseconds. */
const defaultLimit = 10_000;
/** Time limit for starting the process, in milliseconds. */
const startLimit = 20_000;
/** An idle process is ended after this time, in milliseconds. */
const idleLimit = 10_000;

/** The program of the thread that reads. A string, because a separate file would have to be located in every kind of build. */
const reader = `
const { DatabaseSync } = require('node:sqlite');
const { parentPort } = require('node:worker_threads');
let database;
function open(path, tables) {
  database = new DatabaseSync(path, { readOnly: true, timeout: ${lockTimeout} });
  for (const safety of ['trusted_schema = off', 'cell_size_check = on', 'mmap_size = 0']) database.exec('pragma ' + safety);
  const rows = [];
  for (const name of tables) {
    // Not sqlite_master, whose types may be forged.
    const known = database.prepare('select type from pragma_table_list where schema = ? and lower(name) = ?').get('main', name);
    if (known === undefined) continue;
    const columns = database.prepare('select name, hidden from pragma_table_xinfo(?)').all(name);
    if (known.type !== 'table' || columns.some(({ hidden }) => hidden !== 0)) throw new Error(name + ' is not an ordinary table');
    for (const column of columns) rows.push({ table: name, column: column.name });
  }
  return { rows };
}
function close() {
  database?.close();
  database = undefined;
  return { rows: [] };
}
function select(sql, values) {
  const rows = [];
  let size = 0;
  for (const row of database.prepare(sql).iterate(...values)) {
    for (const value of Object.values(row)) size += value?.length ?? 8;
    if (size > ${maxAnswer} && rows.length > 0) return { rows, isCut: true };
    rows.push(row);
  }
  return { rows };
}
parentPort.on('message', ({ id, type, path, tables, sql, values }) => {
  let answer;
  try {
    answer = type === 'open' ? open(path, tables) : type === 'close' ? close() : select(sql, values);
  } catch (error) {
    answer = { error: String(error?.message) };
  }
  parentPort.postMessage({ id, ...answer });
});
parentPort.postMessage({ id: 0 });
`;

/** The program of the process, which must end with this one even while a query runs. */
const program = `
const { Worker } = require('node:worker_threads');
const thread = new Worker(${JSON.stringify(reader)}, { eval: true });
thread.on('message', (answer) => process.send(answer));
process.on('message', (question) => thread.postMessage(question));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
`;

type Question =
  | { readonly type: 'open'; readonly path: string; readonly tables: readonly string[] }
  | { readonly type: 'select'; readonly sql: string; readonly values: readonly (string | number)[] }
  | { readonly type: 'close' };

/** The process has ended. */
class EndedError extends Error {}

/** Reads databases in another process, one at a time. Only a process can be stopped in the middle of a query: a thread can't. */
export class SqliteProcess implements Databases {
  private child: Promise<ChildProcess> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private lastId = 0;
  private idle: NodeJS.Timeout | undefined;

  /** @param limit for a query, in milliseconds */
  constructor(
    private readonly limit = defaultLimit,
    private readonly text = program,
  ) {}

  query<T>(path: string, tables: readonly string[], read: (database: Database) => Promise<T>): Promise<T> {
    const result = this.last.then(() => this.queryNow(path, tables, read));
    this.last = result.catch(() => undefined);
    return result;
  }

  private async queryNow<T>(
    path: string,
    tables: readonly string[],
    read: (database: Database) => Promise<T>,
  ): Promise<T> {
    clearTimeout(this.idle);
    const wasRunning = this.child !== undefined;
    let child = await this.process();
    const open = { type: 'open', path, tables } as const;
    try {
      const { rows } = await this.ask(child, open).catch(async (error: unknown) => {
        if (!wasRunning || !(error instanceof EndedError)) throw error;
        // It was killed since the last query, for example because memory ran out.
        this.end(child);
        child = await this.process();
        return this.ask(child, open);
      });
      const columns = columnsOf(rows);
      return await read({ columns, page: (sql, ...values) => this.ask(child, { type: 'select', sql, values }) });
    } finally {
      await this.ask(child, { type: 'close' }).catch(() => this.end(child));
      this.idle = setTimeout(() => this.end(child), idleLimit);
      this.idle.unref();
    }
  }

  private process(): Promise<ChildProcess> {
    return (this.child ??= started(this.text).catch((error: unknown) => {
      this.child = undefined;
      throw error;
    }));
  }

  private async ask(child: ChildProcess, question: Question): Promise<Page> {
    const id = ++this.lastId;
    const answer = await answerOf(child, this.limit, (one) => one['id'] === id, { id, ...question });
    const error = textOf(answer['error']);
    if (error !== undefined) throw new Error(error);
    return { rows: arrayOf(answer['rows']).map(objectOf), isCut: answer['isCut'] === true };
  }

  private end(child: ChildProcess): void {
    clearTimeout(this.idle);
    this.child = undefined;
    child.kill('SIGKILL');
  }
}

/** The columns of each table. */
function columnsOf(rows: readonly JsonObject[]): ReadonlyMap<string, ReadonlySet<string>> {
  const columns = new Map<string, Set<string>>();
  for (const { table, column } of rows) {
    const known = columns.get(String(table)) ?? new Set<string>();
    columns.set(String(table), known.add(String(column)));
  }
  return columns;
}

async function started(text: string): Promise<ChildProcess> {
  // The extension host's runtime. On the desktop that is Electron, which the variable makes run as Node.
  const child = spawn(process.execPath, ['-e', text], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  child.on('error', () => undefined);
  await answerOf(child, startLimit, ({ id }) => id === 0);
  child.unref();
  child.channel?.unref();
  return child;
}

/** The answer to a question. Ends the process if there is none within the limit. */
function answerOf(
  child: ChildProcess,
  limit: number,
  isAnswer: (message: JsonObject) => boolean,
  question?: JsonObject,
): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    const onMessage = (message: unknown): void => {
      const answer = objectOf(message);
      if (isAnswer(answer)) finish(() => resolve(answer));
    };
    const onError = (error: Error): void => finish(() => reject(error));
    const onExit = (): void => finish(() => reject(new EndedError('the process that reads it has ended')));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish(() => reject(new WordsError(t('it took longer than {0} s', limit / 1000))));
    }, limit);
    child.on('message', onMessage).on('error', onError).on('exit', onExit);
    if (child.exitCode !== null || child.signalCode !== null || !child.connected) return onExit();
    if (!question) return;
    child.send(question, (error) => error && finish(() => reject(new EndedError(error.message))));
  });
}
