import type { Words } from '../../../log/translator';
import { t } from '../../../log/translator';
import { isAbsolute, join } from 'node:path';
import { messageOf } from '../../humanError';
import { opencodeMatches, opencodeOutcome, opencodeSessions } from './opencodeDatabase';
import { isLikelyRunning } from '../runningSessions';
import type { SavedFs } from '../savedFs';
import type { SavedDetails, SavedList, SavedSession, SearchableSession } from '../savedSession';
import type { Database, OpenDatabase } from '../sqlite';
import type { WorkFolders } from '../workFolders';

interface OpencodeStoreOptions {
  readonly folder: string;
  /** `OPENCODE_DB`: a path, or a name in the folder. */
  readonly file: string | undefined;
  readonly fs: SavedFs;
  readonly openDatabase: OpenDatabase | undefined;
  /** Redacts titles and problems. */
  readonly clean: (details: SavedDetails) => SavedDetails;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Explains why OpenCode's sessions are missing. */
const noSqlite = t(
  "OpenCode's sessions are in an SQLite database, which needs Node.js 22.13 or VS Code 1.101. Run `opencode export ID > session.json` and open that file.",
);

/** OpenCode's sessions, which are rows of one database. */
export class OpencodeStore {
  constructor(private readonly options: OpencodeStoreOptions) {}

  /** Other release channels of OpenCode use other databases. */
  get path(): string {
    const { folder, file } = this.options;
    if (folder.endsWith('.db')) return folder;
    if (file === undefined || file === '') return join(folder, 'opencode.db');
    return isAbsolute(file) ? file : join(folder, file);
  }

  async exists(): Promise<boolean> {
    return (await this.options.fs.stat(this.path)) !== undefined;
  }

  /** The newest sessions, without those of subagents. */
  async list({
    limit = 200,
    folders,
  }: {
    readonly limit?: number;
    readonly folders?: WorkFolders | undefined;
  }): Promise<SavedList> {
    if (!(await this.exists())) return { sessions: [], total: 0 };
    return this.query(
      (database) => {
        const all = this.sessionsIn(database, this.path).filter(({ parent }) => parent === undefined);
        const wanted = folders ? all.filter(({ folder }) => folders.has(folder)) : all;
        const sessions = wanted
          .slice(0, limit)
          .map((session) =>
            this.withState({ ...session, ...this.options.clean(opencodeOutcome(database, session.id)) }),
          );
        return { sessions, total: all.length };
      },
      (problem) => ({ sessions: [], total: 0, problem }),
    );
  }

  /** All sessions, newest first, including subagents; empty if the database can't be read. */
  sessions(path = this.path): readonly SavedSession[] {
    return this.query(
      (database) => this.sessionsIn(database, path),
      () => [],
      path,
    );
  }

  searchable(): readonly SearchableSession[] {
    const own = this.sessions().filter(({ parent }) => parent === undefined);
    return own.map((session) => ({
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

  private sessionsIn(database: Database, path: string): readonly SavedSession[] {
    return opencodeSessions(database, path).map((session): SavedSession => {
      const { title } = this.options.clean(session);
      return this.withState({ ...session, ...(title !== undefined && { title }) });
    });
  }

  private withState({ running: _before, ...session }: SavedSession): SavedSession {
    return { ...session, ...(isLikelyRunning(session, this.options.now()) && { running: 'likely' }) };
  }

  private query<T>(read: (database: Database) => T, failed: (problem: Words) => T, path = this.path): T {
    const { openDatabase } = this.options;
    if (!openDatabase) return failed(noSqlite);
    try {
      const database = openDatabase(path);
      try {
        return read(database);
      } finally {
        database.close();
      }
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
