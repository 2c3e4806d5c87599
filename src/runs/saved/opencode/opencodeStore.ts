import type { Words } from '../../../log/translator';
import { t } from '../../../log/translator';
import { resolve } from 'node:path';
import { textOf } from '../../../log/json';
import { messageOf } from '../../humanError';
import type { LineRedactor } from '../../reading/redactEvent';
import { opencodeMatches, opencodeOutcome, opencodeSessions } from './opencodeDatabase';
import { redactedDetails } from '../savedDetails';
import type { SavedFs } from '../savedFs';
import type {
  ListOptions,
  SavedDetails,
  SavedList,
  SavedSession,
  SavedStore,
  SearchableSession,
} from '../savedSession';
import { isLikelyRunning } from '../savedSession';
import type { WatchedFile } from '../savedWatch';
import type { Database, OpenDatabase } from '../sqlite';
import { queryDatabase } from '../sqlite';
import { WorkFolders } from '../workFolders';

interface OpencodeStoreOptions {
  readonly fs: SavedFs;
  readonly openDatabase: OpenDatabase | undefined;
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
      (database) => {
        const all = this.sessionsIn(database, this.path).filter(({ parent }) => parent === undefined);
        const wanted = folders ? all.filter(({ folder }) => folders.has(folder)) : all;
        const sessions = wanted
          .slice(0, limit)
          .map((session) => this.withState({ ...session, ...this.redacted(opencodeOutcome(database, session.id)) }));
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

  find(id: string): Promise<SavedSession | undefined> {
    return Promise.resolve(this.sessions().find((session) => session.id.endsWith(id)));
  }

  searchable(): Promise<readonly SearchableSession[]> {
    const own = this.sessions().filter(({ parent }) => parent === undefined);
    const searchable = own.map((session): SearchableSession => ({
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
    return Promise.resolve(searchable);
  }

  related({ path }: SavedSession): Promise<readonly SavedSession[]> {
    return Promise.resolve(path.endsWith('.json') ? [] : this.sessions(path));
  }

  /** All sessions, newest first, including subagents; empty if the database can't be read. */
  private sessions(path = this.path): readonly SavedSession[] {
    return this.query(
      (database) => this.sessionsIn(database, path),
      () => [],
      path,
    );
  }

  private sessionsIn(database: Database, path: string): readonly SavedSession[] {
    return opencodeSessions(database, path).map((session) => this.withState(this.redacted(session)));
  }

  private redacted<T extends SavedDetails>(details: T): T {
    return redactedDetails(details, this.options.redactor);
  }

  private withState({ running: _before, ...session }: SavedSession): SavedSession {
    return { ...session, ...(isLikelyRunning(session, this.options.now()) && { running: 'likely' }) };
  }

  private query<T>(read: (database: Database) => T, failed: (problem: Words) => T, path = this.path): T {
    const { openDatabase } = this.options;
    if (!openDatabase) return failed(noSqlite);
    try {
      return queryDatabase(openDatabase, path, read);
    } catch (error) {
      const message = messageOf(error);
      const isLocked = /\block(?:ed)?\b|\bbusy\b/i.test(message);
      return failed(
        isLocked
          ? t("OpenCode's database can't be read: {0}. Try again in a moment.", message)
          : t("OpenCode's database can't be read: {0}", message),
      );
    }
  }
}
