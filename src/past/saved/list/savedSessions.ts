import { basename, dirname } from 'node:path';
import { Emitter } from '../../../text/emitter';
import type { SaverId } from '../../../agents/agents';
import { filesFormOf, formOf, saverOf, savers } from '../../../agents/agents';
import type { FileRunInfo } from '../../files/fileRunInfo';
import type { IsLocked } from '../../../machine/heldLocks';
import { isLocked } from '../../../machine/heldLocks';
import type { IsStillAlive } from '../../../machine/processAlive';
import type { RunningPrograms } from '../../../machine/programs';
import type { KnownQuota } from '../../../work/usage/quotas';
import { newestQuotas } from '../../../work/usage/quotas';
import type { Span } from '../../../timeline/span';
import { outerTurns } from '../../../timeline/totalUsage';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine, redactError } from '../../../runLog/reading/redactEvent';
import type { Machine } from './agentFolders';
import { agentFolders } from './agentFolders';
import { FileStore } from './fileStore';
import { DatabaseStore } from '../database/databaseStore';
import type { SavedAccess } from '../openSaved';
import { savedRunInfo, savedSessionAt, traceRunInfo } from '../openSaved';
import { readDetails } from './readDetails';
import { deletionDays } from '../kept/deletionDays';
import type { KeptCopy } from '../kept/keptCopy';
import { needsCopy } from '../kept/keptFile';
import type { KeepOptions } from '../kept/keptFolder';
import { KeptFolder } from '../kept/keptFolder';
import { WithKept } from '../kept/withKept';
import { SavedCache } from './savedCache';
import { spansIn } from './savedUsage';
import { redactedDetails } from './savedDetails';
import type { SavedFs } from './savedFs';
import { nodeFs } from './savedFs';
import type { ListOptions, SavedList, SavedSession, SavedStore, SearchableSession } from '../savedSession';
import { ofRunningProgram, withRedactedFolders } from './runningProgram';
import { SavedWatch } from './savedWatch';
import type { WatchFolder } from './watchedFolders';
import type { SessionState } from '../now/sessionState';
import { isInTurn, stateOf } from '../now/sessionState';
import type { WatchTime } from '../now/sessionWatch';
import { processTime, SessionWatch } from '../now/sessionWatch';
import type { UsedLately } from './usedTokens';
import { usedIn, usedLately, weekBefore } from './usedTokens';
import { listSessions } from './listSessions';
import type { Databases } from '../sqlite';
import { SqliteProcess } from '../sqlite';

/** How many sessions of a week to add up. */
const maxOfWeek = 2000;
/** How much of long sessions to read at a time to count them exactly, in bytes. */
const maxCounted = 64 * 1024 * 1024;
/** Maximum number of sessions that will be deleted soon. */
const maxExpiring = 2000;
const day = 86_400_000;

export interface SavedSessionsOptions {
  readonly machine: Machine;
  /** `agentLogs.savedSessions.folders`: overrides an agent's default folder. */
  readonly folders?: Readonly<Partial<Record<SaverId, string | readonly string[]>>>;
  /** A file that caches what was read for the next window. */
  readonly cachePath?: string;
  /** Redacts titles. */
  readonly redactor: LineRedactor | undefined;
  /** The folder of our copies; absent if there are none. */
  readonly keptPath?: string | undefined;
  readonly fs?: SavedFs;
  readonly databases?: Databases;
  readonly isAlive: IsStillAlive;
  /** Without it, the system is asked. */
  readonly isLocked?: IsLocked;
  /** Without it, no session is known to run by its agent's program. */
  readonly programs?: RunningPrograms;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** An agent that has saved sessions on this machine. */
export interface SavedAgentFolder {
  readonly agent: SaverId;
  /** Display name. */
  readonly name: string;
  /** Those that have sessions. */
  readonly folders: readonly string[];
}

/** The sessions that agents saved on this machine. They are only read on request, and never written. */
export class SavedSessions {
  private readonly changeEmitter = new Emitter<SaverId>();
  /** Fires when the sessions of a watched agent change. */
  readonly onDidChange = this.changeEmitter.event;
  readonly agentIds: readonly SaverId[] = savers.map(({ id }) => id);
  private readonly access: SavedAccess;
  /** Those that existed when they were last looked for. */
  private readonly existing = new Map<SaverId, readonly string[]>();
  private readonly cache: SavedCache;
  private readonly kept: KeptFolder | undefined;
  private readonly programs: RunningPrograms | undefined;
  private counting = Promise.resolve();

  constructor(private readonly options: SavedSessionsOptions) {
    this.cache = new SavedCache(options.cachePath);
    const { keptPath, programs, redactor } = options;
    this.access = {
      fs: options.fs ?? nodeFs,
      databases: options.databases ?? new SqliteProcess(),
      env: options.machine.env,
      children: (session) => this.children(session),
      redactor,
    };
    this.programs = programs && withRedactedFolders(programs, redactor);
    this.kept = keptPath === undefined ? undefined : new KeptFolder(keptPath, this.access.fs, redactor);
  }

  /** The agents whose folders exist. */
  async agents(): Promise<readonly SavedAgentFolder[]> {
    const all = await Promise.all(
      savers.map(async ({ id: agent, label: name }) => ({ agent, name, folders: await this.store(agent).folders() })),
    );
    for (const { agent, folders } of all) this.existing.set(agent, folders);
    return all.filter(({ folders }) => folders.length > 0);
  }

  /** Whether an agent has saved a session: mostly its folder says so. */
  async hasAny(): Promise<boolean> {
    const found = await this.agents();
    if (found.some(({ agent }) => saverOf(agent).saved.isFolderFirst !== true)) return true;
    const lists = await Promise.all(found.map(({ agent }) => this.list(agent, { limit: 1 })));
    return lists.some(({ sessions }) => sessions.length > 0);
  }

  /** Display name. */
  nameOf(agent: SaverId): string {
    return saverOf(agent).label;
  }

  /** The folders that have sessions, as far as `agents` has looked for them, redacted. */
  foldersOf(agent: SaverId): readonly string[] {
    const existing = this.existing.get(agent) ?? [];
    const folders = existing.length > 0 ? existing : this.candidates(agent).slice(0, 1);
    return folders.map((folder) => redactedLine(folder, this.options.redactor));
  }

  /** The newest sessions of an agent, without those of subagents. */
  list(agent: SaverId, options: ListOptions = {}): Promise<SavedList> {
    return this.lister(agent)(options);
  }

  /** Lists an agent's sessions several times, but looks for files only the first time. */
  lister(agent: SaverId): (options: ListOptions) => Promise<SavedList> {
    const store = this.store(agent);
    const { redactor, machine } = this.options;
    const { platform } = machine;
    return async (options) => {
      const list = await listSessions(await store.candidates(options), options, { platform, redactor });
      this.cache.saveSoon();
      return list;
    };
  }

  /** The newest sessions of each agent, or of one. An agent whose sessions can't be read has none. */
  async newest(options: ListOptions, only?: SaverId): Promise<readonly SavedSession[]> {
    const agents = only === undefined ? (await this.agents()).map(({ agent }) => agent) : [only];
    const lists = await Promise.all(agents.map((agent) => this.list(agent, options).catch(() => undefined)));
    return lists.flatMap((list) => list?.sessions ?? []);
  }

  /** What the sessions that changed in the last week used, and the limits that they reported, as far as the beginnings and ends of their files say. */
  async used(agent: SaverId): Promise<UsedLately & { readonly limits: readonly KnownQuota[] }> {
    const sessions = await this.ofWeek(agent);
    const limits = newestQuotas(sessions.flatMap((session) => session.limits ?? []));
    return { ...usedLately(sessions, this.options.now(), maxOfWeek), limits };
  }

  /** Reads sessions of the last week completely whose middle `used` doesn't count: the newest first, some at a time. */
  countLong(agent: SaverId): Promise<void> {
    return (this.counting = this.counting.then(() => this.readLong(agent)).catch(() => undefined));
  }

  private async readLong(agent: SaverId): Promise<void> {
    if (formOf(agent).type === 'database') return; // Its rows are counted by a query.
    let left = maxCounted;
    for (const session of await this.ofWeek(agent)) {
      // One that runs changes before it is read.
      if (session.isPart !== true || session.running || session.size > left) continue;
      left -= session.size;
      const spans = await spansIn(this.open(session)).catch(() => undefined); // It may just have been deleted.
      if (spans) this.noteUsed(session, spans);
    }
    this.cache.saveSoon();
  }

  private async ofWeek(agent: SaverId): Promise<readonly SavedSession[]> {
    const options = { since: weekBefore(this.options.now()), limit: maxOfWeek, withUse: true };
    return (await this.list(agent, options)).sessions;
  }

  /** Keeps what a session used that was read completely, until it changes. @param spans turns and subagents */
  noteUsed(session: SavedSession, spans: readonly Span[]): void {
    const known = this.cache.get(session);
    if (!known) return;
    const hasSubagents = filesFormOf(session.agent).subagents !== undefined;
    if (known.isPart !== true && (!hasSubagents || known.hasSubagents === true)) return;
    // Those that are sessions of their own are counted there.
    const used = usedIn(hasSubagents ? spans : outerTurns(spans));
    this.cache.set(session, { ...known, isPart: false, hasSubagents, ...used });
  }

  /** The sessions that another one started, for agents that save them separately. */
  async children(session: SavedSession): Promise<readonly SavedSession[]> {
    const related = await this.store(session.agent).related(session);
    return related
      .filter(({ parent }) => parent === session.id)
      .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
  }

  /** Reports changes of an agent's sessions through `onDidChange` until disposed. */
  watch(agent: SaverId): { dispose(): void } {
    return new SavedWatch(
      () => this.store(agent).files(),
      () => this.changeEmitter.fire(agent),
    );
  }

  /** What a session does, or how its newest turn ended. */
  async stateOf(session: SavedSession): Promise<SessionState> {
    const doing = isInTurn(session) ? await this.store(session.agent).turn(session).doing(session) : undefined;
    return stateOf(session, doing);
  }

  /** Watches which recent sessions work or wait, until disposed. @param marks as an earlier watch left them */
  now(time: WatchTime = processTime, watch?: WatchFolder, marks?: ReadonlySet<string>): SessionWatch {
    const { isAlive, now } = this.options;
    const { fs } = this.access;
    const agents = this.agentIds.map((agent) => {
      return { agent, store: () => this.store(agent), roots: this.candidates(agent), fs, isAlive, now, watch };
    });
    return new SessionWatch(agents, time, marks);
  }

  /** What `FileRuns.saved` needs to read a session with its subagents. */
  open(session: SavedSession): FileRunInfo {
    return savedRunInfo(session, this.access);
  }

  /**
   * The same for a file in any folder, or for the spans in a database; `undefined` if it is neither.
   * @param sessionId selects a session in a database
   * @throws if it can't be read, or is a database and no session is given
   */
  async openFile(path: string, sessionId?: string): Promise<FileRunInfo | undefined> {
    const traces = await traceRunInfo(path, this.access, sessionId);
    if (traces) return traces;
    const session = await savedSessionAt(path, this.access, sessionId);
    if (!session) return undefined;
    if (session.isGone === true) return this.open(redactedDetails(session, this.options.redactor));
    const { machine, redactor } = this.options;
    // Of a file, only the first lines were read.
    const { outcome: _early, ...known } = redactedDetails(session, redactor);
    const isRow = formOf(session.agent).type === 'database';
    const latest = isRow
      ? session
      : { ...known, ...redactedDetails(await readDetails(session, this.access.fs), redactor) };
    return this.open({ ...known, ...(await ofRunningProgram(latest, this.programs, machine.platform)) });
  }

  /** The sessions that their agent will delete within a time, without those that have a copy as they are now; the newest first. @param within in milliseconds */
  async expiring(agent: SaverId, within: number): Promise<Pick<SavedList, 'sessions'>> {
    const { age } = formOf(agent).deletion;
    if (!age) return { sessions: [] };
    const { machine, now } = this.options;
    const roots = this.candidates(agent);
    const days = await Promise.all(roots.map((root) => deletionDays(age, root, machine, this.access.fs)));
    const until = days.map((count = Infinity) => now() + within - count * day);
    const { sessions } = await this.list(agent, { until: Math.max(...until), limit: maxExpiring });
    return {
      sessions: sessions.filter((session) => {
        // That of a link's target is the first one.
        const root = Math.max(
          0,
          roots.findIndex((one) => session.path.startsWith(one)),
        );
        return needsCopy(session) && session.modifiedAt <= (until[root] ?? -Infinity);
      }),
    };
  }

  /** Copies a session, or replaces an older copy; see `KeptFolder`. @throws if it can't be read, or not be copied */
  async keep(session: SavedSession, options: Omit<KeepOptions, 'redactor' | 'now'>): Promise<void> {
    if (session.isGone === true) throw new Error('It is a copy already');
    const { redactor, now } = this.options;
    try {
      const members = (await this.open(session).saved?.members()) ?? [];
      await this.kept?.keep(session, members, { ...options, redactor, now: now() });
    } catch (error) {
      // It may name the path.
      throw error instanceof Error ? redactError(error, redactor) : error;
    }
    this.changeEmitter.fire(session.agent);
  }

  /** All copies. */
  async copies(): Promise<readonly KeptCopy[]> {
    const { kept } = this;
    const found = kept ? await Promise.all(this.agentIds.map((agent) => kept.list(agent))) : [];
    return found.flat().map(({ session }) => session.kept);
  }

  /** Deletes a copy, for good. @throws if it isn't one */
  async deleteCopy(path: string): Promise<void> {
    await this.kept?.delete(path);
    const agent = this.agentIds.find((one) => one === basename(dirname(path)));
    if (agent) this.changeEmitter.fire(agent);
  }

  /** Finds a session by the agent's ID, or by the end of it. */
  find(agent: SaverId, id: string): Promise<SavedSession | undefined> {
    return this.store(agent).find(id);
  }

  /** The same of any agent. One whose sessions can't be read has none. */
  async findAny(id: string): Promise<SavedSession | undefined> {
    for (const { agent } of await this.agents()) {
      const session = await this.find(agent, id).catch(() => undefined);
      if (session) return session;
    }
    return undefined;
  }

  /** The searchable sessions of an agent, newest first. Doesn't read them. */
  searchable(agent: SaverId, signal?: AbortSignal): Promise<readonly SearchableSession[]> {
    return this.store(agent).searchable(signal);
  }

  /** Writes the cache file; `list` does so too, without waiting. */
  save(): Promise<void> {
    return this.cache.save();
  }

  private candidates(agent: SaverId): readonly string[] {
    return agentFolders(agent, this.options.machine, this.options.folders?.[agent]);
  }

  private store(agent: SaverId): SavedStore {
    const { machine, redactor, isAlive, isLocked: checksLock = isLocked } = this.options;
    const { programs } = this;
    const { platform, home } = machine;
    const running = { isAlive, isLocked: checksLock, programs };
    const options = { ...this.access, ...running, cache: this.cache, platform, home, redactor };
    const form = formOf(agent);
    const folders = this.candidates(agent);
    const own =
      form.type === 'database'
        ? new DatabaseStore(agent, form.database, folders, options)
        : new FileStore(agent, form, folders, options);
    return this.kept ? new WithKept(agent, own, this.kept) : own;
  }
}
