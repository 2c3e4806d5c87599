import { resolve } from 'node:path';
import { textOf } from '../../../text/json';
import type { Words } from '../../../text/translator';
import { displayOf, t } from '../../../text/translator';
import type { SaverId } from '../../../agents/agents';
import { saverOf } from '../../../agents/agents';
import type { Database } from '../../../agents/database';
import type { SavedDatabase, SavedRow, Usages } from '../../../agents/savedDatabase';
import { rowLag } from '../../../agents/savedDatabase';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { newestFirst } from '../list/newestFirst';
import { redactedDetails } from '../list/savedDetails';
import type { SavedFs } from '../list/savedFs';
import type { Candidates, ListOptions, SavedSession, SavedStore, SearchableSession, TurnSource } from '../savedSession';
import { DatabaseTurn } from './databaseTurn';
import type { RunningPrograms } from '../../../machine/programs';
import { ofRunningProgram } from '../list/runningProgram';
import { usedBySession } from '../list/usedTokens';
import type { WatchedFile } from '../list/savedWatch';
import type { Databases } from '../sqlite';

/** Number of sessions to read again if a database has changed. */
const maxAgain = 20;
/** Maximum number of databases beside an agent's usual one. */
const maxOthers = 20;

interface DatabaseStoreOptions {
  readonly fs: SavedFs;
  readonly databases: Databases;
  readonly redactor: LineRedactor | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly programs: RunningPrograms | undefined;
  readonly platform: NodeJS.Platform;
}

/** The sessions of an agent that saves them as rows of one database. */
export class DatabaseStore implements SavedStore {
  constructor(
    private readonly agent: SaverId,
    private readonly form: SavedDatabase,
    private readonly ownFolders: readonly string[],
    private readonly options: DatabaseStoreOptions,
  ) {}

  async folders(): Promise<readonly string[]> {
    const paths = await Promise.all(
      this.ownFolders.map(async (folder) => [...(await this.pathsIn(folder)), ...(await this.olderIn(folder))]),
    );
    return this.ownFolders.filter((_, index) => paths[index]?.length);
  }

  async candidates(options: ListOptions): Promise<Candidates> {
    const { limit: _all, ...others } = options;
    const { sessions, problem = await this.isOlder() } = await this.sessions(others);
    return { all: sessions, lag: rowLag, problem, details: (some) => this.details(some) };
  }

  /** What to do if there are only sessions of versions without a database. */
  private async isOlder(): Promise<Words | undefined> {
    if ((await this.paths()).length > 0) return undefined;
    const [path] = (await Promise.all(this.ownFolders.map((folder) => this.olderIn(folder)))).flat();
    const { version } = this.form.before ?? {};
    if (path === undefined || version === undefined) return undefined;
    const { label } = saverOf(this.agent);
    return t(
      '{0} before {1} saved the sessions in {2}. Start {0} {1} or later once: it copies them to its database.',
      label,
      version,
      path,
    );
  }

  /** The folder there with sessions of versions without a database. */
  private async olderIn(folder: string): Promise<readonly string[]> {
    const { before } = this.form;
    const found = before ? await this.options.fs.list(folder, ...before.folder) : [];
    return before && found.length > 0 ? [resolve(folder, ...before.folder)] : [];
  }

  async files(): Promise<readonly WatchedFile[]> {
    const paths = (await this.paths()).flatMap((path) => [path, `${path}-wal`]);
    const stats = await Promise.all(paths.map((path) => this.options.fs.stat(path)));
    return paths.flatMap((path, index) => (stats[index] ? { path, ...stats[index] } : []));
  }

  async again(): Promise<readonly SavedSession[]> {
    const { sessions } = await this.sessions({ limit: maxAgain });
    return this.details(sessions);
  }

  turn(session: SavedSession): TurnSource {
    return new DatabaseTurn(session, this.form, this.options.databases, this.options.redactor);
  }

  async find(id: string): Promise<SavedSession | undefined> {
    const session = (await this.sessions()).sessions.find((one) => one.id.endsWith(id));
    return session && this.withDetails(session);
  }

  async searchable(): Promise<readonly SearchableSession[]> {
    const own = (await this.sessions()).sessions.filter(({ parent }) => parent === undefined);
    return own.map((session): SearchableSession => ({
      agent: this.agent,
      id: session.id,
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
    return (await Promise.all(this.ownFolders.map((folder) => this.pathsIn(folder)))).flat();
  }

  private async pathsIn(folder: string): Promise<readonly string[]> {
    const { options, form } = this;
    const own = /\.(?:db|sqlite)$/.test(folder) ? folder : textOf(options.env[form.fileVariable ?? '']);
    const names = own === undefined && form.otherFiles ? (await options.fs.list(folder)).map(({ name }) => name) : [];
    const others = names.filter((name) => form.otherFiles?.test(name));
    const paths = [own ?? form.file, ...others.slice(0, maxOthers)].map((name) => resolve(folder, name));
    const stats = await Promise.all(paths.map((path) => options.fs.stat(path)));
    return paths.filter((_, index) => stats[index] !== undefined);
  }

  /** All sessions, newest first, including subagents, without those of databases that can't be read. */
  private async sessions({ withUse = false, since = 0, limit }: ListOptions = {}): Promise<{
    readonly sessions: readonly SavedSession[];
    readonly problem: Words | undefined;
  }> {
    const found: SavedSession[] = [];
    let problem: Words | undefined;
    for (const path of await this.paths()) {
      const read = async (database: Database): Promise<readonly SavedRow[]> => {
        const rows = await this.form.sessions(database, limit);
        return withUse ? withUsage(rows, await this.form.usages(database, since), since) : rows;
      };
      const rows = await this.query(path, read, (one) => {
        problem ??= one;
        return [];
      });
      found.push(...rows.map((row) => this.sessionOf(row, path)));
    }
    return { sessions: await newestFirst(found), problem };
  }

  private async withDetails(session: SavedSession): Promise<SavedSession> {
    return (await this.details([session]))[0] ?? session;
  }

  /** What can't be read has only what is known of it. */
  private async details(some: readonly SavedSession[]): Promise<readonly SavedSession[]> {
    const found = new Map<SavedSession, SavedSession>();
    for (const path of new Set(some.map((one) => one.path))) {
      const read = async (database: Database): Promise<void> => {
        for (const one of some) if (one.path === path) found.set(one, await this.detailed(database, one));
      };
      await this.query(path, read, () => undefined);
    }
    return some.map((one) => found.get(one) ?? one);
  }

  private async detailed(database: Database, session: SavedSession): Promise<SavedSession> {
    if (session.used) return session; // Nothing else is asked for.
    const { redactor, programs, platform } = this.options;
    const { id } = session;
    const details = redactedDetails(await this.form.outcome(database, id), redactor);
    const lastAt = Math.max(session.modifiedAt, details.lastAt ?? 0);
    const found = { ...session, ...details, id, lastAt, modifiedAt: lastAt };
    return { ...found, ...(await ofRunningProgram(found, programs, platform)) };
  }

  private sessionOf(row: SavedRow, path: string): SavedSession {
    const { lastAt: modifiedAt } = row;
    return { ...redactedDetails(row, this.options.redactor), agent: this.agent, path, size: 0, modifiedAt };
  }

  private async query<T>(
    path: string,
    read: (database: Database) => Promise<T>,
    failed: (problem: Words) => T,
  ): Promise<T> {
    try {
      return await this.options.databases.query(path, this.form.tables, read);
    } catch (error) {
      return failed(t("{0}'s database can't be read: {1}", saverOf(this.agent).label, displayOf(error)));
    }
  }
}

/** Rows that changed, with what they used, and what sessions used that aren't listed. */
function withUsage(all: readonly SavedRow[], usages: Usages, since: number): readonly SavedRow[] {
  const used = usedBySession(usages);
  const rows = all.filter(({ lastAt }) => lastAt >= since);
  const listed = new Set(rows.map(({ id }) => id));
  const others = [...used].flatMap(([id, use]) => (listed.has(id) || !use.used ? [] : { id, lastAt: since, ...use }));
  const isPart = usages.isCut && { isPart: true };
  return [...rows.map((row) => ({ ...row, ...used.get(row.id), ...isPart })), ...others];
}
