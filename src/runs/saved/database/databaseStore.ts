import { resolve } from 'node:path';
import { textOf } from '../../../log/json';
import type { Words } from '../../../log/translator';
import { displayOf, t } from '../../../log/translator';
import type { SaverId } from '../../../agents/agents';
import { saverOf } from '../../../agents/agents';
import type { Database } from '../../../agents/database';
import type { SavedDatabase, SavedRow } from '../../../agents/savedDatabase';
import type { SavedDetails } from '../../../agents/savedDetails';
import type { LineRedactor } from '../../reading/redactEvent';
import { redactedDetails } from '../savedDetails';
import type { SavedFs } from '../savedFs';
import type { ListOptions, SavedList, SavedSession, SavedStore, SearchableSession } from '../savedSession';
import { isLikelyRunning } from '../savedSession';
import { savedFacts } from '../sessionFilter';
import type { WatchedFile } from '../savedWatch';
import type { Databases } from '../sqlite';
import { WorkFolders } from '../workFolders';

interface DatabaseStoreOptions {
  readonly fs: SavedFs;
  readonly databases: Databases | undefined;
  readonly redactor: LineRedactor | undefined;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The sessions of an agent that saves them as rows of one database. */
export class DatabaseStore implements SavedStore {
  private readonly path: string;

  constructor(
    private readonly agent: SaverId,
    private readonly form: SavedDatabase,
    folder: string,
    private readonly options: DatabaseStoreOptions,
  ) {
    const isFile = /\.(?:db|sqlite)$/.test(folder);
    this.path = isFile ? folder : resolve(folder, textOf(options.env[form.fileVariable]) ?? form.file);
  }

  async exists(): Promise<boolean> {
    return (await this.options.fs.stat(this.path)) !== undefined;
  }

  async list(options: ListOptions): Promise<SavedList> {
    const { limit = 200, folders: paths, since = 0, filter, maxRead = Infinity, signal } = options;
    if (!(await this.exists())) return { sessions: [], total: 0 };
    const folders = paths && new WorkFolders(paths, this.options.platform);
    return this.query(
      async (database) => {
        const all = (await this.form.sessions(database)).filter(({ parent }) => parent === undefined);
        const wanted = all.filter(({ folder, lastAt }) => lastAt >= since && (!folders || folders.has(folder)));
        const { label } = saverOf(this.agent);
        const sessions: SavedSession[] = [];
        let read = 0;
        for (const row of wanted.slice(0, maxRead)) {
          if (sessions.length >= limit || signal?.aborted === true) break;
          read++;
          const session = this.sessionOf({ ...row, ...(await this.form.outcome(database, row.id)) }, this.path);
          const isWanted = !filter || filter.fits({ ...savedFacts(session, label), title: session.title });
          if (isWanted) sessions.push(session);
        }
        const isCut = read < wanted.length && sessions.length < limit;
        return { sessions, total: all.length, ...(isCut && { read }) };
      },
      (problem) => ({ sessions: [], total: 0, problem }),
    );
  }

  async files(): Promise<readonly WatchedFile[]> {
    const paths = [this.path, `${this.path}-wal`];
    const stats = await Promise.all(paths.map((path) => this.options.fs.stat(path)));
    return paths.flatMap((path, index) => (stats[index] ? { path, ...stats[index] } : []));
  }

  async find(id: string): Promise<SavedSession | undefined> {
    return (await this.sessions()).find((session) => session.id.endsWith(id));
  }

  async searchable(): Promise<readonly SearchableSession[]> {
    const own = (await this.sessions()).filter(({ parent }) => parent === undefined);
    return own.map((session): SearchableSession => ({
      agent: this.agent,
      key: `${session.path} ${session.id}`,
      modifiedAt: session.modifiedAt,
      paths: [],
      rows: (words, limit) =>
        this.query(
          (database) => this.form.matches(database, session.id, words, limit),
          () => [],
        ),
      session: () => Promise.resolve(session),
    }));
  }

  related({ id, path }: SavedSession): Promise<readonly SavedSession[]> {
    if (path.endsWith('.json')) return Promise.resolve([]);
    return this.query(
      async (database) => (await this.form.children(database, id)).map((row) => this.sessionOf(row, path)),
      () => [],
      path,
    );
  }

  /** All sessions, newest first, including subagents; empty if the database can't be read. */
  private sessions(): Promise<readonly SavedSession[]> {
    return this.query(
      async (database) => (await this.form.sessions(database)).map((row) => this.sessionOf(row, this.path)),
      () => [],
    );
  }

  private sessionOf(row: SavedRow & SavedDetails, path: string): SavedSession {
    const about = { agent: this.agent, path, size: 0, modifiedAt: row.lastAt };
    const session = { ...redactedDetails(row, this.options.redactor), ...about };
    return { ...session, ...(isLikelyRunning(session, this.options.now()) && { running: 'likely' }) };
  }

  private async query<T>(
    read: (database: Database) => Promise<T>,
    failed: (problem: Words) => T,
    path = this.path,
  ): Promise<T> {
    const { label } = saverOf(this.agent);
    const { program, args } = this.form.printer;
    const { databases } = this.options;
    if (!databases) {
      const command = `${[program, ...args('ID')].join(' ')} > session.json`;
      return failed(
        t(
          "{0}'s sessions are in an SQLite database, which needs Node.js 22.13 or VS Code 1.101. Run `{1}` and open that file.",
          label,
          command,
        ),
      );
    }
    try {
      return await databases.query(path, this.form.tables, read);
    } catch (error) {
      const message = displayOf(error);
      const isLocked = typeof message === 'string' && /\block(?:ed)?\b|\bbusy\b/i.test(message);
      return failed(
        isLocked
          ? t("{0}'s database can't be read: {1}. Try again in a moment.", label, message)
          : t("{0}'s database can't be read: {1}", label, message),
      );
    }
  }
}
