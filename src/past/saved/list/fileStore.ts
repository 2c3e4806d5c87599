import { basename, join } from 'node:path';
import { oneLine } from '../../../text/text';
import { t } from '../../../text/translator';
import type { SaverId } from '../../../agents/agents';
import { filesFormOf, saverOf } from '../../../agents/agents';
import type { SavedDetails } from '../../../agents/savedDetails';
import type { AboutSession, SavedAsChanges, SavedInFiles } from '../../../agents/savedForm';
import type { IsStillAlive } from '../../../machine/processAlive';
import { Slices } from '../../../time/slices';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import type { BesideAccess } from '../beside/besideFiles';
import { BesideFiles } from '../beside/besideFiles';
import { readDetails, readUsed } from './readDetails';
import { runningSessions } from './runningSessions';
import type { SavedCache } from './savedCache';
import { redactedDetails } from './savedDetails';
import type { Wanted } from './savedFiles';
import { findSavedFiles, findSubagents } from './savedFiles';
import type { ListOptions, SavedFile, SavedList, SavedSession, SavedStore, SearchableSession } from '../savedSession';
import { likelyRunning } from './likelyRunning';
import { savedFacts } from './sessionFilter';
import { usedWith } from './usedTokens';
import { WorkFolders } from './workFolders';

/** Maximum number of subagents of a session to count, the newest. */
const maxSubagents = 200;
/** Number of files to read concurrently. */
const atOnce = 16;
/** Number of sessions to check for subagents concurrently. */
const lookedAtOnce = 64;
/** Maximum number of sessions to read for an ID that isn't in their files' names. */
const maxFound = 2500;
/** Default number of sessions to list. */
const defaultLimit = 200;

export interface FileStoreOptions extends BesideAccess {
  readonly cache: SavedCache;
  readonly redactor: LineRedactor | undefined;
  readonly platform: NodeJS.Platform;
  readonly isAlive: IsStillAlive;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The sessions of an agent that saves each in a file. */
export class FileStore implements SavedStore {
  private readonly own: Partial<SavedInFiles>;
  /** The files as `list` found them first: a store is made for each question. */
  private found: Promise<readonly SavedFile[]> | undefined;

  constructor(
    private readonly agent: SaverId,
    private readonly form: SavedInFiles | SavedAsChanges,
    private readonly root: string,
    private readonly options: FileStoreOptions,
  ) {
    this.own = filesFormOf(agent);
  }

  /** A folder that the user may not list is reported when its agent is listed. */
  async exists(): Promise<boolean> {
    const { fs } = this.options;
    const lists = await Promise.all(this.folders.map((name) => fs.list(this.root, name)));
    return lists.some((entries) => entries.length > 0) || (await this.deniedFolder()) !== undefined;
  }

  async list(options: ListOptions): Promise<SavedList> {
    const { cache, fs, isAlive } = this.options;
    await cache.load();
    const files = await (this.found ??= this.files(options));
    const running = await runningSessions(this.agent, this.root, files, fs, isAlive);
    const { sessions: found, subagents, read } = await this.read(files, running, options);
    const sessions = options.withUse === true ? await this.withSubagents(found) : found;
    cache.saveSoon();
    const denied = files.length === 0 ? await this.deniedFolder() : undefined;
    const problem = denied === undefined ? {} : { problem: t("You don't have permission to read {0}.", denied) };
    return { sessions, total: files.length - subagents, ...problem, ...(read !== undefined && { read }) };
  }

  files(wanted: Wanted = {}): Promise<readonly SavedFile[]> {
    return findSavedFiles(this.agent, this.root, this.options.fs, wanted);
  }

  async find(id: string): Promise<SavedSession | undefined> {
    const named = await this.files({ isWanted: (name) => name.endsWith(id) || id.endsWith(name) });
    const { sessions } = await this.read(named, new Set(), { limit: 1, keepsSubagents: true });
    return sessions[0] ?? (this.own.subagents?.needsId === true ? this.findInside(id) : undefined);
  }

  /** Finds a session whose file name has only a part of its ID. */
  private async findInside(id: string): Promise<SavedSession | undefined> {
    const { sessions } = await this.read(await this.files(), new Set(), { limit: maxFound });
    return sessions.find((session) => session.id.endsWith(id));
  }

  async searchable(signal?: AbortSignal): Promise<readonly SearchableSession[]> {
    await this.options.cache.load();
    const files = await this.files({ signal });
    const found: SearchableSession[] = [];
    for (let at = 0; at < files.length && signal?.aborted !== true; at += lookedAtOnce) {
      const batch = files.slice(at, at + lookedAtOnce);
      found.push(...(await Promise.all(batch.map((file) => this.searchableFile(file)))));
    }
    return found;
  }

  async related(session: SavedSession): Promise<readonly SavedSession[]> {
    const { timeInId } = this.own;
    if (!timeInId || !session.path.startsWith(this.root)) return [];
    const isWanted = (id: string): boolean => id !== session.id && mayBeStartedIn(session, timeInId(id));
    const during = await this.files({ isWanted });
    return (await this.read(during, new Set(), { limit: during.length, keepsSubagents: true })).sessions;
  }

  private async searchableFile(file: SavedFile): Promise<SearchableSession> {
    const { agent, path, modifiedAt } = file;
    const id = this.own.subagents?.needsId === true ? (await this.sessionOf(file, new Set())).id : file.id;
    const session = async (): Promise<SavedSession> => {
      const own = await this.sessionOf(file, new Set());
      return (own.parent === undefined ? undefined : await this.find(own.parent)) ?? own;
    };
    const paths = [path, ...(await findSubagents(file, id, this.options.fs))];
    return { agent, key: path, modifiedAt, paths, session };
  }

  /** Reads details, newest first, until there are enough. Counts the subagents among those that were read. */
  private async read(
    files: readonly SavedFile[],
    running: ReadonlySet<string>,
    options: ListOptions,
  ): Promise<{ readonly sessions: readonly SavedSession[]; readonly subagents: number; readonly read?: number }> {
    const { signal, limit = defaultLimit, folders: paths, since = 0, filter, maxRead = Infinity, onProgress } = options;
    const folders = paths && new WorkFolders(paths, this.options.platform);
    const isCandidate = ({ project }: SavedFile): boolean =>
      project === undefined || this.own.namesProjects !== true || folders?.mayHaveProject(project) !== false;
    const end = since > 0 ? files.findIndex(({ modifiedAt }) => modifiedAt < since) : -1;
    const late = end < 0 ? files : files.slice(0, end);
    // The file must be read to be sure.
    const candidates = folders ? await new Slices().flatMap(late, (file) => (isCandidate(file) ? file : [])) : late;
    const { beside } = this.form;
    const titles = await beside?.titles?.(new BesideFiles(beside, this.root, this.options));
    const sessions: SavedSession[] = [];
    const { label } = saverOf(this.agent);
    const isWanted = (session: SavedSession): boolean =>
      (options.keepsSubagents === true || options.withUse === true || session.parent === undefined) &&
      (!folders || folders.has(session.folder)) &&
      (!filter || filter.fits({ ...savedFacts(session, label), title: session.title }));
    let subagents = 0;
    let at = 0;
    while (at < candidates.length && at < maxRead && sessions.length < limit && signal?.aborted !== true) {
      const batch = candidates.slice(at, at + (folders || filter ? atOnce : Math.min(atOnce, limit - sessions.length)));
      for (const read of await Promise.all(batch.map((file) => this.sessionOf(file, running)))) {
        if (sessions.length >= limit) break;
        at++;
        // A window's new chat is saved before anything was asked.
        const isEmpty = this.form.type === 'changes' && read.title === undefined;
        if (read.parent !== undefined || isEmpty) subagents++;
        if (isEmpty) continue;
        const session = this.named(read, titles);
        if (isWanted(session)) sessions.push(session);
      }
      onProgress?.({ read: at, total: candidates.length });
    }
    const isCut = at < candidates.length && sessions.length < limit;
    return { sessions, subagents, ...(isCut && { read: at }) };
  }

  /** Adds what subagents used that are saved in files of their own. */
  private async withSubagents(sessions: readonly SavedSession[]): Promise<readonly SavedSession[]> {
    if (!this.own.subagents) return sessions;
    const found: SavedSession[] = [];
    for (let at = 0; at < sessions.length; at += atOnce) {
      const batch = sessions.slice(at, at + atOnce);
      found.push(...(await Promise.all(batch.map((session) => this.withOwnSubagents(session)))));
    }
    return found;
  }

  private async withOwnSubagents(session: SavedSession): Promise<SavedSession> {
    if (session.hasSubagents === true) return session;
    const { agent } = session;
    const { fs } = this.options;
    const paths = (await findSubagents(session, session.id, fs)).slice(-maxSubagents);
    const subagents: SavedDetails[] = [];
    for (const path of paths) {
      const stats = await fs.stat(path);
      if (stats) subagents.push(await this.usedIn({ agent, id: basename(path), path, ...stats }));
    }
    const own = this.own.about?.isEnough === true ? await this.usedIn(session) : session;
    return { ...session, ...usedWith(own, subagents) };
  }

  private usedIn(file: SavedFile): Promise<SavedDetails> {
    const { fs } = this.options;
    return this.own.about?.isEnough === true ? readUsed(file, fs).catch(() => ({})) : this.sessionOf(file, new Set());
  }

  private async sessionOf(file: SavedFile, running: ReadonlySet<string>): Promise<SavedSession> {
    const { cache, fs, redactor, isAlive, now } = this.options;
    const known = cache.get(file);
    // It may just have been deleted, or be unreadable.
    const { pid, ...details }: AboutSession =
      known ?? redactedDetails(await readDetails(file, fs).catch(() => ({})), redactor);
    // A PID has to be checked each time.
    if (!known && pid === undefined) cache.set(file, details);
    const id = details.id ?? file.id;
    const isRunning =
      running.has(id) || running.has(file.id) || (pid !== undefined && (await isAlive({ pid, at: file.modifiedAt })));
    if (isRunning) return { ...file, ...details, id, running: 'yes' };
    return { ...file, ...details, id, ...likelyRunning({ ...file, ...details }, now()) };
  }

  private named(session: SavedSession, titles: ReadonlyMap<string, string> | undefined): SavedSession {
    const title = titles?.get(session.id);
    return title === undefined
      ? session
      : { ...session, title: oneLine(redactedLine(title, this.options.redactor), 200) };
  }

  /** Where sessions are below the agent's folder. */
  private get folders(): readonly string[] {
    return this.form.files.flatMap(({ below: [first] }) => first ?? []);
  }

  private async deniedFolder(): Promise<string | undefined> {
    const folders = [this.root, ...this.folders.map((name) => join(this.root, name))];
    const isDenied = await Promise.all(folders.map((folder) => this.options.fs.isDenied(folder)));
    return folders.find((_, index) => isDenied[index]);
  }
}

/** Tolerance around a session's times for inexact clocks and files, in milliseconds. */
const slack = 60_000;

/** True if something started during a session. @param at NaN if unknown */
function mayBeStartedIn({ startedAt = 0, modifiedAt, lastAt = modifiedAt }: SavedSession, at: number): boolean {
  return !Number.isFinite(at) || (at >= startedAt - slack && at <= Math.max(modifiedAt, lastAt) + slack);
}
