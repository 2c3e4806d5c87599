import { basename, dirname, join } from 'node:path';
import type { SaverId } from '../../../agents/agents';
import { formOf } from '../../../agents/agents';
import type { SavedForm, SessionFiles } from '../../../agents/savedForm';
import type { IsStillAlive } from '../../../machine/processAlive';
import type { SavedFs } from '../list/savedFs';
import type { WatchedFile } from '../list/savedWatch';
import type { WatchFolder } from '../list/watchedFolders';
import { foldersOf, WatchedFolders } from '../list/watchedFolders';
import type { SavedFile, SavedSession, SavedStore, TurnSource } from '../savedSession';
import type { SessionState } from './sessionState';
import { isInTurn, keyOf, stateOf } from './sessionState';

/** Sessions that haven't changed for longer aren't looked at, in milliseconds. */
const recentTime = 7 * 86_400_000;
/** Maximum number of recent sessions of an agent. */
const maxRecent = 50;
/** Maximum number of watched folders of an agent, and of new ones that have no session yet. */
const [maxFolders, maxNewFolders] = [200, 50];

/** What is due at the next look. */
interface Due {
  /** Paths that have changed. */
  readonly changed: Set<string>;
  /** A file may be new. */
  hasNew: boolean;
  /** A file with a process may have changed. */
  hasMarks: boolean;
}

type KnownFile = WatchedFile & Partial<Pick<SavedFile, 'id' | 'about'>>;

export interface AgentWatchOptions {
  readonly store: () => SavedStore;
  /** The agent's folders. */
  readonly roots: readonly string[];
  readonly fs: SavedFs;
  readonly isAlive: IsStillAlive;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly watch?: WatchFolder | undefined;
  /** Something has changed. */
  readonly onDue: () => void;
}

/** The states of one agent's recent sessions. Only what has changed is looked at. */
export class AgentWatch {
  private readonly form: SavedForm;
  private readonly folders: WatchedFolders;
  private readonly markFolders: readonly string[];
  private store: SavedStore;
  private files = new Map<string, KnownFile>();
  private ids = new Set<string>();
  /** Folders that appeared, and have no session yet. */
  private newFolders: string[] = [];
  private readonly recent = new Map<string, SavedSession>();
  private readonly turns = new Map<string, TurnSource>();
  private due: Due = nothing();
  /** Keys of sessions whose files were deleted. */
  private gone: string[] = [];

  constructor(
    readonly agent: SaverId,
    private readonly options: AgentWatchOptions,
  ) {
    this.form = formOf(agent);
    this.store = options.store();
    this.folders = new WatchedFolders((folder, name) => this.changedIn(folder, name), options.watch);
    const marks = this.form.type === 'files' ? this.form.marks : undefined;
    const names = marks && 'names' in marks ? marks.names : undefined;
    this.markFolders = names ? options.roots.map((root) => join(root, ...names)) : [];
  }

  dispose(): void {
    this.folders.dispose();
  }

  /** Whether it has any sessions. */
  get hasAny(): boolean {
    return this.files.size > 0;
  }

  /** Whether something has changed. */
  get isDue(): boolean {
    return this.due.changed.size > 0 || this.due.hasNew || this.due.hasMarks;
  }

  /** Whether a session works or waits, so that its process has to be checked. */
  get isActive(): boolean {
    return this.turns.size > 0;
  }

  /** Looks at all files. */
  async lookAtAll(): Promise<readonly SavedSession[]> {
    this.due = nothing();
    if (!this.hasAny && !(await this.hasFolder())) return [];
    this.store = this.options.store();
    const files = await this.store.files();
    this.files = new Map(files.map((file) => [file.path, file]));
    this.ids = new Set(files.flatMap((file: KnownFile) => file.id ?? []));
    this.watchFolders(files);
    const since = this.options.now() - recentTime;
    const newest = files.slice(0, maxRecent).filter(({ modifiedAt }) => modifiedAt >= since);
    const active = [...this.turns.keys()].flatMap((key) => this.files.get(this.recent.get(key)?.path ?? '') ?? []);
    return this.read([...new Set([...newest, ...active])]);
  }

  /** Looks at what has changed since the last look. */
  async lookAgain(): Promise<readonly SavedSession[]> {
    const { changed, hasNew, hasMarks } = this.due;
    this.due = nothing();
    // An agent makes it when it runs for the first time.
    for (const folder of this.markFolders) this.folders.add(folder);
    const found = new Set(await this.changedFiles(changed));
    const going = hasMarks ? [] : await this.goingOn([...found]);
    for (const { path } of going) found.delete(this.files.get(path) ?? { path, size: 0, modifiedAt: 0 });
    if (hasNew) for (const file of await this.newFiles()) found.add(file);
    if (hasMarks) for (const file of this.openFiles()) found.add(file);
    return [...going, ...(await this.read([...found]))];
  }

  /** Looks whether the processes of active sessions still run, and whether their files have changed unnoticed. */
  async check(): Promise<readonly SavedSession[]> {
    const active = [...this.turns.keys()].flatMap((key) => this.recent.get(key) ?? []);
    const due = await Promise.all(active.map((session) => this.isOutdated(session)));
    const paths = new Set(active.flatMap(({ path }, index) => (due[index] === true ? path : [])));
    return this.read(await this.changedFiles(paths));
  }

  /** The keys of sessions that were deleted since this was called last. */
  takeGone(): readonly string[] {
    const { gone } = this;
    this.gone = [];
    return gone;
  }

  /** What a session does. */
  async stateOf(session: SavedSession): Promise<SessionState> {
    const key = keyOf(session);
    if (!isInTurn(session)) {
      this.turns.delete(key);
      return stateOf(session);
    }
    const turn = this.turns.get(key) ?? this.store.turn(session);
    this.turns.set(key, turn);
    return stateOf(session, await turn.doing(session));
  }

  /** Most agents aren't installed. */
  private async hasFolder(): Promise<boolean> {
    const { roots, fs } = this.options;
    // The setting may name a database.
    const found = await Promise.all(roots.map(async (root) => isDatabase(root) || (await fs.list(root)).length > 0));
    return found.includes(true);
  }

  /** Sessions whose turn is still open, so that only what was added to their files has to be read. */
  private async goingOn(files: readonly KnownFile[]): Promise<readonly SavedSession[]> {
    if (this.form.type !== 'files' || this.form.about !== undefined) return [];
    const sessions: SavedSession[] = [];
    for (const { path, size, modifiedAt } of files) {
      const session = [...this.recent.values()].find((one) => one.path === path);
      const turn = session && this.turns.get(keyOf(session));
      if (!session || !turn) continue;
      const grown = { ...session, size, modifiedAt, lastAt: modifiedAt };
      if (!(await turn.doing(grown))) continue;
      this.recent.set(keyOf(session), grown);
      sessions.push(grown);
    }
    return sessions;
  }

  private async isOutdated({ path, pid, size, modifiedAt }: SavedSession): Promise<boolean> {
    if (pid === undefined || !(await this.options.isAlive({ pid, at: modifiedAt }))) return true;
    if (this.form.type === 'database') return false;
    const stats = await this.options.fs.stat(path);
    return stats?.size !== size || stats.modifiedAt !== modifiedAt;
  }

  private async read(files: readonly KnownFile[]): Promise<readonly SavedSession[]> {
    if (files.length === 0) return [];
    const sessions = (await this.store.again(files)).filter(({ parent }) => parent === undefined);
    for (const session of sessions) {
      const key = keyOf(session);
      this.recent.delete(key);
      this.recent.set(key, session);
    }
    for (const key of this.recent.keys()) {
      if (this.recent.size <= maxRecent * 2) break;
      if (!this.turns.has(key)) this.recent.delete(key);
    }
    return sessions;
  }

  /** Files that have changed, with their new size and time. */
  private async changedFiles(paths: ReadonlySet<string>): Promise<readonly KnownFile[]> {
    const found = await Promise.all(
      [...paths].map(async (path): Promise<readonly KnownFile[]> => {
        const known = this.files.get(path);
        const stats = await this.options.fs.stat(path);
        if (!known) return [];
        if (!stats) return this.removed(path);
        const file = { ...known, ...stats };
        this.files.set(path, file);
        return [file];
      }),
    );
    return found.flat();
  }

  private removed(path: string): readonly KnownFile[] {
    // A database may have no write-ahead log.
    if (this.form.type === 'database') return [];
    this.files.delete(path);
    for (const [key, session] of this.recent) {
      if (session.path !== path) continue;
      this.recent.delete(key);
      this.turns.delete(key);
      this.gone.push(key);
    }
    return [];
  }

  /** Files that weren't there at the last look. Known ones aren't examined. */
  private async newFiles(): Promise<readonly KnownFile[]> {
    const found = await this.store.files({ isWanted: (id) => !this.ids.has(id) });
    for (const file of found as readonly KnownFile[]) {
      this.files.set(file.path, file);
      if (file.id !== undefined) this.ids.add(file.id);
      for (const folder of foldersOf([file], 1, 1)) this.folders.add(folder);
    }
    return found;
  }

  /** The files of sessions whose processes matter. */
  private openFiles(): readonly KnownFile[] {
    return [...this.recent.values()].flatMap(({ path, running, outcome }) => {
      const matters = running !== undefined || outcome === 'open' || outcome === undefined;
      return (matters ? this.files.get(path) : undefined) ?? [];
    });
  }

  private watchFolders(files: readonly KnownFile[]): void {
    const folders = foldersOf(files, levelsOf(this.form), maxFolders);
    if (files.length === 0) for (const folder of this.firstFolders()) folders.add(folder);
    for (const folder of [...this.markFolders, ...this.newFolders]) folders.add(folder);
    this.folders.use(folders);
  }

  /** Where the first session may appear. Those that are missing aren't watched. */
  private firstFolders(): readonly string[] {
    const { roots } = this.options;
    const names = this.form.type === 'database' ? [] : this.form.files.flatMap(({ below: [first] }) => first ?? []);
    return roots.flatMap((root) => [root, ...names.map((name) => join(root, name))]);
  }

  private changedIn(folder: string, name: string | null): void {
    if (this.markFolders.includes(folder)) this.due.hasMarks = true;
    else if (name === null) this.anyChangedIn(folder);
    else void this.changedAt(join(folder, name));
    if (this.isDue) this.options.onDue();
  }

  /** The system doesn't say what. */
  private anyChangedIn(folder: string): void {
    this.due.hasNew = true;
    for (const { path } of this.recent.values()) if (dirname(path) === folder) this.due.changed.add(path);
  }

  private async changedAt(path: string): Promise<void> {
    const about = [...this.recent.values()].find((session) => session.about === path);
    const known = about ? about.path : path;
    if (this.files.has(known)) this.due.changed.add(known);
    else if (this.isMark(basename(path))) this.due.hasMarks = true;
    else if (isSession(this.form, path) || (await this.isNewFolder(path))) this.due.hasNew = true;
    if (this.isDue) this.options.onDue();
  }

  private isMark(name: string): boolean {
    const marks = this.form.type === 'files' ? this.form.marks : undefined;
    if (marks?.type === 'beside') return name.endsWith(marks.suffix);
    return marks?.type === 'lock' && marks.file.test(name);
  }

  /** A session may appear in a new folder. */
  private async isNewFolder(path: string): Promise<boolean> {
    if (this.form.type === 'database' || this.folders.has(path)) return false;
    if (await this.options.fs.stat(path)) return false;
    // Something that is gone again can't be watched.
    this.folders.add(path);
    if (!this.folders.has(path)) return false;
    this.newFolders = [...this.newFolders, path].slice(-maxNewFolders);
    return true;
  }
}

function nothing(): Due {
  return { changed: new Set(), hasNew: false, hasMarks: false };
}

/** How many folders above a session's file lead to it from the agent's. */
function levelsOf(form: SavedForm): number {
  if (form.type === 'database') return 1;
  return Math.max(...form.files.map((place) => place.below.length + ('file' in place ? partsOf(place).length - 1 : 0)));
}

/** Whether a file may be a session, by its name. */
function isSession(form: SavedForm, path: string): boolean {
  if (form.type === 'database') return isDatabase(path.replace(/-wal$/, ''));
  const name = basename(path);
  return form.files.some((place) =>
    'file' in place ? partsOf(place, basename(dirname(path))).at(-1) === name : place.name.test(name),
  );
}

/** The names that lead from a session's folder to its file. @param folder the name of that folder */
function partsOf(place: Extract<SessionFiles, { file: unknown }>, folder = ''): readonly string[] {
  return place.file(folder).split('/');
}

function isDatabase(path: string): boolean {
  return /\.(?:db|sqlite)$/.test(path);
}
