import { resolve } from 'node:path';
import { textOf } from '../../../text/json';
import type { Words } from '../../../text/translator';
import { displayOf, t } from '../../../text/translator';
import type { SaverId } from '../../../agents/agents';
import { saverOf } from '../../../agents/agents';
import type { Database } from '../../../agents/database';
import type { SavedDatabase, SavedRow } from '../../../agents/savedDatabase';
import type { SavedDetails } from '../../../agents/savedDetails';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { newestFirst } from '../list/newestFirst';
import { redactedDetails } from '../list/savedDetails';
import type { SavedFs } from '../list/savedFs';
import type { ListOptions, SavedList, SavedSession, SavedStore, SearchableSession } from '../savedSession';
import { likelyRunning } from '../list/likelyRunning';
import { savedFacts } from '../list/sessionFilter';
import { usedBySession } from '../list/usedTokens';
import type { WatchedFile } from '../list/savedWatch';
import type { Databases } from '../sqlite';
import { WorkFolders } from '../list/workFolders';

/** Maximum number of databases beside an agent's usual one. */
const maxOthers = 20;

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
  constructor(
    private readonly agent: SaverId,
    private readonly form: SavedDatabase,
    private readonly folder: string,
    private readonly options: DatabaseStoreOptions,
  ) {}

  async exists(): Promise<boolean> {
    return (await this.paths()).length > 0;
  }

  async list(options: ListOptions): Promise<SavedList> {
    const { limit = 200, withUse = false } = options;
    const lists: SavedList[] = [];
    for (const path of await this.paths()) {
      lists.push(await (withUse ? this.usedIn(path, options) : this.listIn(path, options)));
    }
    const total = sumOf(lists.map((list) => list.total));
    const isCut = lists.some(({ read }) => read !== undefined);
    const problem = lists.find((list) => list.problem !== undefined)?.problem;
    return {
      sessions: (await newestFirst(lists.flatMap(({ sessions }) => sessions))).slice(0, limit),
      total,
      ...(isCut && { read: sumOf(lists.map((list) => list.read ?? list.total)) }),
      ...(problem !== undefined && { problem }),
    };
  }

  private listIn(path: string, options: ListOptions): Promise<SavedList> {
    const { limit = 200, folders: paths, since = 0, filter, maxRead = Infinity, signal } = options;
    const folders = paths && new WorkFolders(paths, this.options.platform);
    return this.query(
      path,
      async (database) => {
        const all = (await this.form.sessions(database)).filter(({ parent }) => parent === undefined);
        const wanted = all.filter(({ folder, lastAt }) => lastAt >= since && (!folders || folders.has(folder)));
        const { label } = saverOf(this.agent);
        const sessions: SavedSession[] = [];
        let read = 0;
        for (const row of wanted.slice(0, maxRead)) {
          if (sessions.length >= limit || signal?.aborted === true) break;
          read++;
          const session = await this.detailed(database, row, path);
          const isWanted = !filter || filter.fits({ ...savedFacts(session, label), title: session.title });
          if (isWanted) sessions.push(session);
        }
        const isCut = read < wanted.length && sessions.length < limit;
        return { sessions, total: all.length, ...(isCut && { read }) };
      },
      (problem) => ({ sessions: [], total: 0, problem }),
    );
  }

  /** The sessions with what they used, and those that others started. */
  private usedIn(path: string, { since = 0, limit = 200 }: ListOptions): Promise<SavedList> {
    return this.query(
      path,
      async (database) => {
        const usages = await this.form.usages(database, since);
        const used = usedBySession(usages);
        const rows = (await this.form.sessions(database)).filter(({ lastAt }) => lastAt >= since).slice(0, limit);
        const sessions: SavedSession[] = [];
        for (const row of rows) {
          const use = used.get(row.id);
          const session = use?.used ? this.sessionOf(row, path) : await this.detailed(database, row, path);
          sessions.push({ ...session, ...use, ...(usages.isCut && { isPart: true }) });
        }
        // Subagents that aren't listed.
        const listed = new Set(rows.map(({ id }) => id));
        const others = [...used].filter(([id]) => !listed.has(id));
        for (const [id, use] of others) sessions.push(this.sessionOf({ id, lastAt: since, ...use }, path));
        return { sessions, total: sessions.length };
      },
      (problem) => ({ sessions: [], total: 0, problem }),
    );
  }

  async files(): Promise<readonly WatchedFile[]> {
    const paths = (await this.paths()).flatMap((path) => [path, `${path}-wal`]);
    const stats = await Promise.all(paths.map((path) => this.options.fs.stat(path)));
    return paths.flatMap((path, index) => (stats[index] ? { path, ...stats[index] } : []));
  }

  async find(id: string): Promise<SavedSession | undefined> {
    const session = (await this.sessions()).find((one) => one.id.endsWith(id));
    return session && this.withDetails(session);
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
          session.path,
          (database) => this.form.matches(database, session.id, words, limit),
          () => [],
        ),
      session: () => this.withDetails(session),
    }));
  }

  related({ id, path }: SavedSession): Promise<readonly SavedSession[]> {
    if (path.endsWith('.json')) return Promise.resolve([]);
    return this.query(
      path,
      async (database) => (await this.form.children(database, id)).map((row) => this.sessionOf(row, path)),
      () => [],
    );
  }

  /** The databases that exist. */
  private async paths(): Promise<readonly string[]> {
    const { folder, options, form } = this;
    const own = /\.(?:db|sqlite)$/.test(folder) ? folder : textOf(options.env[form.fileVariable ?? '']);
    const names = own === undefined && form.otherFiles ? (await options.fs.list(folder)).map(({ name }) => name) : [];
    const others = names.filter((name) => form.otherFiles?.test(name));
    const paths = [own ?? form.file, ...others.slice(0, maxOthers)].map((name) => resolve(folder, name));
    const stats = await Promise.all(paths.map((path) => options.fs.stat(path)));
    return paths.filter((_, index) => stats[index] !== undefined);
  }

  /** All sessions, newest first, including subagents, without those of databases that can't be read. */
  private async sessions(): Promise<readonly SavedSession[]> {
    const found: SavedSession[] = [];
    for (const path of await this.paths()) {
      const read = async (database: Database) =>
        (await this.form.sessions(database)).map((row) => this.sessionOf(row, path));
      found.push(...(await this.query(path, read, () => [])));
    }
    return newestFirst(found);
  }

  private withDetails(session: SavedSession): Promise<SavedSession> {
    const { running: _guess, ...row } = { ...session, lastAt: session.modifiedAt };
    return this.query(
      session.path,
      (database) => this.detailed(database, row, session.path),
      () => session,
    );
  }

  private async detailed(database: Database, row: SavedRow, path: string): Promise<SavedSession> {
    const details = await this.form.outcome(database, row.id);
    const lastAt = Math.max(row.lastAt, details.lastAt ?? 0);
    return this.sessionOf({ ...row, ...details, id: row.id, lastAt }, path);
  }

  private sessionOf(row: SavedRow & SavedDetails, path: string): SavedSession {
    const about = { agent: this.agent, path, size: 0, modifiedAt: row.lastAt };
    const session = { ...redactedDetails(row, this.options.redactor), ...about };
    return { ...session, ...likelyRunning(session, this.options.now()) };
  }

  private async query<T>(
    path: string,
    read: (database: Database) => Promise<T>,
    failed: (problem: Words) => T,
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

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
