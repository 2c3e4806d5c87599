import type { Words } from '../../../log/translator';
import { displayOf, t } from '../../../log/translator';
import { resolve } from 'node:path';
import { textOf } from '../../../log/json';
import type { LineRedactor } from '../../reading/redactEvent';
import { opencodeMatches, opencodeOutcome, opencodeSessions, queryOpencode } from './opencodeDatabase';
import { redactedDetails } from '../savedDetails';
import type { SavedFs } from '../savedFs';
import type { ListOptions, SavedList, SavedSession, SavedStore, SearchableSession } from '../savedSession';
import type { SavedDetails } from '../../../agents/savedDetails';
import { isLikelyRunning } from '../savedSession';
import type { WatchedFile } from '../savedWatch';
import type { Database, Databases } from '../sqlite';
import { WorkFolders } from '../workFolders';

interface OpencodeStoreOptions {
  readonly fs: SavedFs;
  readonly databases: Databases | undefined;
  readonly redactor: LineRedactor | undefined;
  readonly platform: NodeJS.Platform;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Explains why OpenCode's sessions are missing. */
const noSqlite = t(
  "OpenCode's sessions are in an SQLite database, which needs Node.js 22.13 or VS Code 1.101. Run `opencode export ID > session.json` and open that file.",
);

/** OpenCode's sessions, which are rows of one database. */
export class OpencodeStore implements SavedStore {
  private readonly path: string;

  /** @param file `OPENCODE_DB`: a path, or a name in the folder, because other release channels use other databases */
  constructor(
    folder: string,
    file: string | undefined,
    private readonly options: OpencodeStoreOptions,
  ) {
    this.path = folder.endsWith('.db') ? folder : resolve(folder, textOf(file) ?? 'opencode.db');
  }

  async exists(): Promise<boolean> {
    return (await this.options.fs.stat(this.path)) !== undefined;
  }

  async list({ limit = 200, folders: paths }: ListOptions): Promise<SavedList> {
    if (!(await this.exists())) return { sessions: [], total: 0 };
    const folders = paths && new WorkFolders(paths, this.options.platform);
    return this.query(
      async (database) => {
        const all = (await this.sessionsIn(database, this.path)).filter(({ parent }) => parent === undefined);
        const wanted = folders ? all.filter(({ folder }) => folders.has(folder)) : all;
        const sessions: SavedSession[] = [];
        for (const session of wanted.slice(0, limit)) {
          const outcome = this.redacted(await opencodeOutcome(database, session.id));
          sessions.push(this.withState({ ...session, ...outcome }));
        }
        return { sessions, total: all.length };
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
      agent: 'opencode',
      key: `${session.path} ${session.id}`,
      modifiedAt: session.modifiedAt,
      paths: [],
      rows: (words, limit) =>
        this.query(
          (database) => opencodeMatches(database, session.id, words, limit),
          () => [],
        ),
      session: () => Promise.resolve(session),
    }));
  }

  related({ id, path }: SavedSession): Promise<readonly SavedSession[]> {
    if (path.endsWith('.json')) return Promise.resolve([]);
    return this.query(
      (database) => this.sessionsIn(database, path, 'where parent_id = ? order by time_created', id),
      () => [],
      path,
    );
  }

  /** All sessions, newest first, including subagents; empty if the database can't be read. */
  private sessions(): Promise<readonly SavedSession[]> {
    return this.query(
      (database) => this.sessionsIn(database, this.path),
      () => [],
    );
  }

  private async sessionsIn(...given: Parameters<typeof opencodeSessions>): Promise<readonly SavedSession[]> {
    return (await opencodeSessions(...given)).map((session) => this.withState(this.redacted(session)));
  }

  private redacted<T extends SavedDetails>(details: T): T {
    return redactedDetails(details, this.options.redactor);
  }

  private withState({ running: _before, ...session }: SavedSession): SavedSession {
    return { ...session, ...(isLikelyRunning(session, this.options.now()) && { running: 'likely' }) };
  }

  private async query<T>(
    read: (database: Database) => Promise<T>,
    failed: (problem: Words) => T,
    path = this.path,
  ): Promise<T> {
    const { databases } = this.options;
    if (!databases) return failed(noSqlite);
    try {
      return await queryOpencode(databases, path, read);
    } catch (error) {
      const message = displayOf(error);
      const isLocked = typeof message === 'string' && /\block(?:ed)?\b|\bbusy\b/i.test(message);
      return failed(
        isLocked
          ? t("OpenCode's database can't be read: {0}. Try again in a moment.", message)
          : t("OpenCode's database can't be read: {0}", message),
      );
    }
  }
}
