import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { isBuiltin } from 'node:module';
import type { Words } from '../../text/translator';
import { t, verbatim, WordsError } from '../../text/translator';
import type { Database, Page } from '../../agents/database';
import type { Answer, Question } from './sqliteProgram';
import { sqliteProgram } from './sqliteProgram';

/** Reads the databases of agents, including their write-ahead logs, which `immutable` would miss. */
export interface Databases {
  /**
   * @param tables the names that `read` selects from, as far as they exist; views and virtual tables can run for ever, so they are refused
   * @throws if the database can't be opened or read, or a name is that of something else than an ordinary table
   */
  query<T>(path: string, tables: readonly string[], read: (database: Database) => Promise<T>): Promise<T>;
}

/** Time limit for a query, in milliseconds. */
const defaultLimit = 10_000;
/** Time limit for starting the process, in milliseconds. */
const startLimit = 20_000;
/** An idle process is ended after this time, in milliseconds. */
const idleLimit = 10_000;

/** The process has ended. */
class EndedError extends Error {}

/** Reads databases in another process, one at a time. Only a process can be stopped in the middle of a query: a thread can't. */
export class SqliteProcess implements Databases {
  private child: Promise<ChildProcess> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private lastId = 0;
  private idle: NodeJS.Timeout | undefined;

  /**
   * @param limit for a query, in milliseconds
   * @param hasSqlite false for the terminal's Node.js if it is older than the one in VS Code
   */
  constructor(
    private readonly limit = defaultLimit,
    private readonly program = sqliteProgram(),
    private readonly hasSqlite = isBuiltin('node:sqlite'),
  ) {}

  query<T>(path: string, tables: readonly string[], read: (database: Database) => Promise<T>): Promise<T> {
    if (!this.hasSqlite) {
      return Promise.reject(new WordsError(t('reading it needs Node.js 22.15 or later, this is {0}', process.version)));
    }
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
      const { columns } = await this.ask(child, open).catch(async (error: unknown) => {
        if (!wasRunning || !(error instanceof EndedError)) throw error;
        // It was killed since the last query, for example because memory ran out.
        this.end(child);
        child = await this.process();
        return this.ask(child, open);
      });
      return await read({ columns, page: (sql, ...values) => this.ask(child, { type: 'select', sql, values }) });
    } finally {
      await this.ask(child, { type: 'close' }).catch(() => this.end(child));
      this.idle = setTimeout(() => this.end(child), idleLimit);
      this.idle.unref();
    }
  }

  private process(): Promise<ChildProcess> {
    return (this.child ??= started(this.program).catch((error: unknown) => {
      this.child = undefined;
      throw error;
    }));
  }

  private async ask(child: ChildProcess, question: Question): Promise<Page & Pick<Database, 'columns'>> {
    const id = ++this.lastId;
    const answer = await answerOf(child, this.limit, id, question);
    const { error, code, columns = new Map(), rows = [], isCut = false } = answer;
    if (error !== undefined) throw new WordsError(problemOf(error, code));
    return { columns, rows, isCut };
  }

  private end(child: ChildProcess): void {
    clearTimeout(this.idle);
    this.child = undefined;
    child.kill('SIGKILL');
  }
}

/** What SQLite says, and what to do about it. @param code its result code; the upper bits only say where it failed */
function problemOf(error: string, code = 0): Words {
  switch (code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return t('another program has locked it ({0}). Try again in a moment.', error);
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return t(
        "it is damaged or isn't a database ({0}). If it is a copy, copy it again while its agent isn't running, with the file that ends in -wal beside it.",
        error,
      );
    case 14: // SQLITE_CANTOPEN
      return t('{0}. Check the permissions of the file and its folder.', error);
    default:
      return verbatim(error);
  }
}

async function started(program: string): Promise<ChildProcess> {
  // The extension host's runtime. On the desktop that is Electron, which the variable makes run as Node.
  const child = spawn(process.execPath, ['-e', program], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  child.on('error', () => undefined);
  await answerOf(child, startLimit, 0);
  child.unref();
  child.channel?.unref();
  return child;
}

/** The answer with this ID, to the question if there is one. Ends the process if there is none within the limit. */
function answerOf(child: ChildProcess, limit: number, id: number, question?: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    const onMessage = (message: unknown): void => {
      const answer = message as Answer; // of our own program
      if (answer.id === id) finish(() => resolve(answer));
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
    child.send({ id, ...question }, (error) => error && finish(() => reject(new EndedError(error.message))));
  });
}
