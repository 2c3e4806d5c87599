import { t } from '../../log/translator';
import { join } from 'node:path';
import { oneLine } from '../../log/text';
import { Emitter } from '../../log/emitter';
import type { SavedAgent } from '../../protocols/saved/savedFormat';
import { savedAgentNames, savedAgents } from '../../protocols/saved/savedFormat';
import type { LineRedactor } from '../reading/redactEvent';
import { redactedLine } from '../reading/redactEvent';
import type { FileRunInfo } from '../files/fileRunInfo';
import type { Machine } from './agentFolders';
import { agentFolder } from './agentFolders';
import { OpencodeStore } from './opencode/opencodeStore';
import type { ReadDetails } from './readDetails';
import type { SavedAccess } from './openSaved';
import { savedRunInfo, savedSessionAt } from './openSaved';
import { readDetails } from './readDetails';
import type { IsAlive } from './runningSessions';
import { isLikelyRunning, runningSessions } from './runningSessions';
import { SavedCache } from './savedCache';
import { codexTitles } from './beside/codexTitles';
import { findSavedFiles, findSubagents } from './savedFiles';
import type { SavedFs } from './savedFs';
import { nodeFs } from './savedFs';
import type { SavedFile, SavedList, SavedSession, SearchableSession } from './savedSession';
import type { WatchedFile } from './savedWatch';
import { SavedWatch } from './savedWatch';
import type { OpenDatabase } from './sqlite';
import { nodeSqlite } from './sqlite';
import { WorkFolders } from './workFolders';

/** Number of files to read concurrently. */
const atOnce = 16;
/** Number of sessions to check for subagents concurrently. */
const lookedAtOnce = 64;
/** Default number of sessions to list. */
const defaultLimit = 200;

export interface SavedSessionsOptions {
  readonly machine: Machine;
  /** `agentLogs.savedSessions.folders`: overrides an agent's default folder. */
  readonly folders?: Readonly<Partial<Record<SavedAgent, string>>>;
  /** A file that caches what was read for the next window. */
  readonly cachePath?: string;
  /** Redacts titles. */
  readonly redactor?: LineRedactor | undefined;
  readonly fs?: SavedFs;
  /** Explicitly `undefined` if this Node version can't read databases. */
  readonly openDatabase?: OpenDatabase | undefined;
  readonly isAlive: IsAlive;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** An agent that has saved sessions on this machine. */
export interface SavedAgentFolder {
  readonly agent: SavedAgent;
  /** Display name. */
  readonly name: string;
  readonly folder: string;
}

export interface ListOptions {
  readonly signal?: AbortSignal;
  /** Maximum number of sessions to read. */
  readonly limit?: number;
  /** Only sessions that worked in one of these folders or their subfolders. */
  readonly folders?: readonly string[];
  readonly onProgress?: (progress: { readonly read: number; readonly total: number }) => void;
}

/** The sessions that agents saved on this machine. They are only read on request, and never written. */
export class SavedSessions {
  private readonly changeEmitter = new Emitter<SavedAgent>();
  /** Fires when the sessions of a watched agent change. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly fs: SavedFs;
  private readonly cache: SavedCache;
  private readonly openDatabase: OpenDatabase | undefined;
  private readonly opencode: OpencodeStore;

  constructor(private readonly options: SavedSessionsOptions) {
    this.fs = options.fs ?? nodeFs;
    this.cache = new SavedCache(options.cachePath);
    this.openDatabase = 'openDatabase' in options ? options.openDatabase : nodeSqlite();
    this.opencode = new OpencodeStore({
      folder: this.folderOf('opencode'),
      file: options.machine.env['OPENCODE_DB'],
      fs: this.fs,
      openDatabase: this.openDatabase,
      clean: (details) => this.clean(details),
      now: options.now,
    });
  }

  /** The agents whose folders exist. */
  async agents(): Promise<readonly SavedAgentFolder[]> {
    const all = savedAgents.map((agent) => ({ agent, name: savedAgentNames[agent], folder: this.folderOf(agent) }));
    const exist = await Promise.all(all.map(({ agent }) => this.hasSessions(agent)));
    return all.filter((_, index) => exist[index]);
  }

  folderOf(agent: SavedAgent): string {
    return agentFolder(agent, this.options.machine, this.options.folders?.[agent]);
  }

  /** The newest sessions of an agent, without those of subagents. */
  async list(agent: SavedAgent, options: ListOptions = {}): Promise<SavedList> {
    if (agent === 'opencode') return this.opencode.list({ ...options, folders: this.workFolders(options.folders) });
    await this.cache.load();
    const root = this.folderOf(agent);
    const files = await findSavedFiles(agent, root, this.fs, options.signal);
    const running = await runningSessions(agent, root, files, this.fs, this.options.isAlive);
    const { sessions, subagents } = await this.read(files, running, options);
    void this.cache.save();
    const denied = files.length === 0 ? await this.deniedFolder(agent) : undefined;
    const problem = denied === undefined ? {} : { problem: t("You don't have permission to read {0}.", denied) };
    return { sessions, total: files.length - subagents, ...problem };
  }

  /** The sessions that another one started, for agents that save them separately. */
  async children(session: SavedSession): Promise<readonly SavedSession[]> {
    const { agent, id } = session;
    if (agent !== 'codex' && agent !== 'opencode') return [];
    const all = await this.withSubagents(agent, session);
    return all.filter(({ parent }) => parent === id).sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
  }

  /** Reports changes of an agent's sessions through `onDidChange` until disposed. */
  watch(agent: SavedAgent): { dispose(): void } {
    return new SavedWatch(
      () => this.placesOf(agent),
      () => this.changeEmitter.fire(agent),
    );
  }

  /** The files to watch, newest first. */
  private async placesOf(agent: SavedAgent): Promise<readonly WatchedFile[]> {
    if (agent !== 'opencode') return findSavedFiles(agent, this.folderOf(agent), this.fs);
    const paths = [this.opencode.path, `${this.opencode.path}-wal`];
    const stats = await Promise.all(paths.map((path) => this.fs.stat(path)));
    return paths.flatMap((path, index) => (stats[index] ? [{ path, ...stats[index] }] : []));
  }

  /** What `FileRuns.saved` needs to read a session with its subagents. */
  open(session: SavedSession): FileRunInfo {
    return savedRunInfo(session, this.access);
  }

  /**
   * The same for a file in any folder; `undefined` if it isn't a saved session.
   * @param sessionId selects a session in OpenCode's database
   * @throws if it can't be read, or is a database and no session is given
   */
  async openFile(path: string, sessionId?: string): Promise<FileRunInfo | undefined> {
    const session = await savedSessionAt(path, this.access, sessionId);
    if (!session) return undefined;
    const { outcome: _early, ...known } = session; // Only the first lines were read.
    const isRunning = isLikelyRunning(known, this.options.now());
    return this.open({ ...known, ...(isRunning && { running: 'likely' }) });
  }

  private get access(): SavedAccess {
    return {
      fs: this.fs,
      openDatabase: this.openDatabase,
      codexLogs: this.options.machine.env['CODEX_SQLITE_HOME'],
      children: (session) => this.children(session),
    };
  }

  /** Finds a session by the agent's ID, or by the end of it. */
  async find(agent: SavedAgent, id: string): Promise<SavedSession | undefined> {
    if (agent === 'opencode') return this.opencode.sessions().find((session) => session.id.endsWith(id));
    const files = await findSavedFiles(agent, this.folderOf(agent), this.fs);
    const named = files.filter((file) => file.id.endsWith(id) || id.endsWith(file.id));
    const { sessions } = await this.read(named, new Set(), { limit: 1 }, { keepsSubagents: true });
    return sessions[0];
  }

  /** The searchable sessions of an agent, newest first. Doesn't read them. */
  async searchable(agent: SavedAgent, signal?: AbortSignal): Promise<readonly SearchableSession[]> {
    if (agent === 'opencode') return this.opencode.searchable();
    await this.cache.load();
    const files = await findSavedFiles(agent, this.folderOf(agent), this.fs, signal);
    const found: SearchableSession[] = [];
    for (let at = 0; at < files.length && signal?.aborted !== true; at += lookedAtOnce) {
      const batch = files.slice(at, at + lookedAtOnce);
      found.push(...(await Promise.all(batch.map((file) => this.searchableFile(file)))));
    }
    return found;
  }

  private async searchableFile(file: SavedFile): Promise<SearchableSession> {
    const { agent, path, modifiedAt } = file;
    // Gemini names a subagent folder after an ID that only the file has.
    const id = agent === 'gemini' ? (await this.sessionOf(file, new Set())).id : file.id;
    const session = async (): Promise<SavedSession> => {
      const own = await this.sessionOf(file, new Set());
      return (own.parent === undefined ? undefined : await this.find(agent, own.parent)) ?? own;
    };
    return { agent, key: path, modifiedAt, paths: [path, ...(await findSubagents(file, id, this.fs))], session };
  }

  /** Writes the cache file; `list` does so too, without waiting. */
  save(): Promise<void> {
    return this.cache.save();
  }

  private async withSubagents(agent: SavedAgent, session: SavedSession): Promise<readonly SavedSession[]> {
    if (agent === 'opencode') return session.path.endsWith('.json') ? [] : this.opencode.sessions(session.path);
    const root = this.folderOf(agent);
    if (!session.path.startsWith(root)) return [];
    const files = await findSavedFiles(agent, root, this.fs);
    const during = files.filter((file) => file.id !== session.id && mayBeStartedIn(session, file.id));
    return (await this.read(during, new Set(), { limit: during.length }, { keepsSubagents: true })).sessions;
  }

  /** Reads details, newest first, until there are enough. Counts the subagents among those that were read. */
  private async read(
    files: readonly SavedFile[],
    running: ReadonlySet<string>,
    { signal, limit = defaultLimit, folders: paths, onProgress }: ListOptions,
    { keepsSubagents = false } = {},
  ): Promise<{ readonly sessions: readonly SavedSession[]; readonly subagents: number }> {
    const folders = this.workFolders(paths);
    // The file must be read to be sure.
    const candidates = files.filter(({ agent, project }) => {
      const isNamed = project !== undefined && (agent === 'claude' || agent === 'qwen');
      return !folders || !isNamed || folders.mayHaveProject(project);
    });
    const titles = files[0]?.agent === 'codex' ? await codexTitles(this.folderOf('codex'), this.access) : undefined;
    const sessions: SavedSession[] = [];
    let subagents = 0;
    for (let at = 0; at < candidates.length && sessions.length < limit && signal?.aborted !== true;) {
      const batch = candidates.slice(at, at + Math.min(atOnce, limit - sessions.length));
      at += batch.length;
      for (const session of await Promise.all(batch.map((file) => this.sessionOf(file, running)))) {
        if (session.parent !== undefined) subagents++;
        if (!keepsSubagents && session.parent !== undefined) continue;
        if (!folders || folders.has(session.folder)) sessions.push(this.named(session, titles));
      }
      onProgress?.({ read: at, total: candidates.length });
    }
    return { sessions, subagents };
  }

  private workFolders(paths: readonly string[] | undefined): WorkFolders | undefined {
    return paths && new WorkFolders(paths, this.options.machine.platform);
  }

  private async sessionOf(file: SavedFile, running: ReadonlySet<string>): Promise<SavedSession> {
    const known = this.cache.get(file);
    // It may just have been deleted, or be unreadable.
    const { pid, ...details }: ReadDetails = known ?? this.clean(await readDetails(file, this.fs).catch(() => ({})));
    // A PID has to be checked each time.
    if (!known && pid === undefined) this.cache.set(file, details);
    const id = details.id ?? file.id;
    const isRunning =
      running.has(id) ||
      running.has(file.id) ||
      (pid !== undefined && (await this.options.isAlive(pid, file.modifiedAt)));
    const state = isRunning
      ? 'yes'
      : isLikelyRunning({ ...file, ...details }, this.options.now())
        ? 'likely'
        : undefined;
    return { ...file, ...details, id, ...(state !== undefined && { running: state }) };
  }

  private named(session: SavedSession, titles: ReadonlyMap<string, string> | undefined): SavedSession {
    const title = titles?.get(session.id);
    return title === undefined
      ? session
      : { ...session, title: redactedLine(oneLine(title, 200), this.options.redactor) };
  }

  private clean(details: ReadDetails): ReadDetails {
    const { redactor } = this.options;
    const { title, problem } = details;
    return {
      ...details,
      ...(title !== undefined && { title: redactedLine(title, redactor) }),
      ...(problem !== undefined && { problem: redactedLine(problem, redactor) }),
    };
  }

  /** A folder that the user may not list is reported when its agent is listed. */
  private async hasSessions(agent: SavedAgent): Promise<boolean> {
    if (agent === 'opencode') return this.opencode.exists();
    const lists = await Promise.all(this.sessionFolders(agent).map((folder) => this.fs.list(folder)));
    return lists.some((entries) => entries.length > 0) || (await this.deniedFolder(agent)) !== undefined;
  }

  private async deniedFolder(agent: SavedAgent): Promise<string | undefined> {
    const folders = [this.folderOf(agent), ...this.sessionFolders(agent)];
    const isDenied = await Promise.all(folders.map((folder) => this.fs.isDenied(folder)));
    return folders.find((_, index) => isDenied[index]);
  }

  private sessionFolders(agent: SavedAgent): readonly string[] {
    return sessionFolders[agent].map((name) => join(this.folderOf(agent), name));
  }
}

/** Where sessions are below an agent's folder; OpenCode has a database. */
const sessionFolders: Readonly<Record<SavedAgent, readonly string[]>> = {
  claude: ['projects'],
  codex: ['sessions', 'archived_sessions'],
  gemini: ['tmp'],
  qwen: ['projects'],
  opencode: [],
  copilot: ['session-state'],
  pi: ['sessions'],
  cline: ['sessions'],
};

/** Tolerance around a session's times for inexact clocks and files, in milliseconds. */
const slack = 60_000;

/** True if a thread started during a session; Codex IDs begin with their time (UUID version 7). */
function mayBeStartedIn({ startedAt = 0, modifiedAt, lastAt = modifiedAt }: SavedSession, id: string): boolean {
  const at = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  return !Number.isFinite(at) || (at >= startedAt - slack && at <= Math.max(modifiedAt, lastAt) + slack);
}
