import { basename, join } from 'node:path';
import { Slices } from '../../../time/slices';
import { oneLine } from '../../../text/text';
import { askedIn } from '../../../protocols/agentWriter/askedText';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';
import type { SaverId } from '../../../agents/agents';
import { filesFormOf } from '../../../agents/agents';
import type { SavedDetails } from '../../../agents/savedDetails';
import type { AboutSession, SavedAsChanges, SavedInFiles } from '../../../agents/savedForm';
import type { RunningPrograms } from '../../../machine/programs';
import type { LineRedactor } from '../../../runLog/reading/redactEvent';
import { redactedLine } from '../../../runLog/reading/redactEvent';
import type { BesideAccess } from '../beside/besideFiles';
import { BesideFiles } from '../beside/besideFiles';
import { readDetails, readUsed } from './readDetails';
import type { RunningChecks, SessionProcess } from './runningSessions';
import { runningSessions } from './runningSessions';
import type { SavedCache } from './savedCache';
import { redactedDetails } from './savedDetails';
import type { Wanted } from './savedFiles';
import { findSavedFiles, findSubagents, SubagentsBeside } from './savedFiles';
import { FileTurn } from '../now/fileTurn';
import type {
  Candidates,
  ListOptions,
  SavedFile,
  SavedSession,
  SavedStore,
  SearchableSession,
  TurnSource,
} from '../savedSession';
import { ofRunningProgram } from './runningProgram';
import { listSessions } from './listSessions';
import { usedWith } from './usedTokens';
import { UnmarkedCopies } from '../unmarkedCopies';

/** Maximum number of subagents of a session to count, the newest. */
const maxSubagents = 200;
/** Number of sessions to check for subagents concurrently. */
const lookedAtOnce = 64;
/** Maximum number of sessions to read for an ID that isn't in their files' names. */
const maxFound = 2500;

export interface FileStoreOptions extends BesideAccess, RunningChecks {
  readonly cache: SavedCache;
  readonly redactor: LineRedactor | undefined;
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  /** `undefined`: no session is known to run by its agent's program. */
  readonly programs: RunningPrograms | undefined;
}

/** The sessions of an agent that saves each in a file. */
export class FileStore implements SavedStore {
  private readonly own: Partial<SavedInFiles>;
  private readonly beside: SubagentsBeside;
  private readonly copies: UnmarkedCopies;
  /** The files as `list` found them first: a store is made for each question. */
  private found: Promise<readonly SavedFile[]> | undefined;
  /** The first links that weren't followed, and how many. */
  private links: readonly string[] = [];
  /** Of sessions, by ID, as the files beside them say. */
  private titles: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(
    private readonly agent: SaverId,
    private readonly form: SavedInFiles | SavedAsChanges,
    private readonly roots: readonly string[],
    private readonly options: FileStoreOptions,
  ) {
    this.own = filesFormOf(agent);
    this.beside = new SubagentsBeside(options.fs);
    this.copies = new UnmarkedCopies(options.fs);
  }

  /** A folder that the user may not list is reported when its agent is listed. */
  async folders(): Promise<readonly string[]> {
    const { fs, home } = this.options;
    const exist = await Promise.all(
      this.roots.map(async (root) => {
        const lists = await Promise.all(
          this.names.map(async (name) => (await fs.linkAt?.(join(root, name), home)) ?? (await fs.list(root, name))[0]),
        );
        return lists.some((found) => found !== undefined) || (await this.deniedFolder(root)) !== undefined;
      }),
    );
    return this.roots.filter((_, index) => exist[index]);
  }

  async candidates(options: ListOptions): Promise<Candidates> {
    const { cache, fs } = this.options;
    await cache.load();
    const links = new Set<string>();
    this.found ??= this.files({ ...options, onLink: (path) => links.add(path) });
    const files = await this.found;
    if (links.size > 0) this.links = [...links];
    const running = await runningSessions(this.agent, this.roots, files, fs, this.options);
    const denied = files.length === 0 ? await this.deniedFolder(...this.roots) : undefined;
    const problem = denied === undefined ? undefined : t("You don't have permission to read {0}.", denied);
    const titles = await this.findTitles();
    return { ...this.among(files, running, titles, options.withUse), problem, notice: linksNotice(this.links) };
  }

  files(wanted: Wanted = {}): Promise<readonly SavedFile[]> {
    return findSavedFiles(this.agent, { roots: this.roots, home: this.options.home }, this.options.fs, wanted);
  }

  async again(files: readonly SavedFile[]): Promise<readonly SavedSession[]> {
    const running = await runningSessions(this.agent, this.roots, files, this.options.fs, this.options);
    this.titles ??= this.findTitles();
    const { details } = this.among(files, running, await this.titles);
    return (await details(files)).filter((session) => session !== undefined);
  }

  turn(): TurnSource {
    return new FileTurn(this.options.fs, this.options.redactor);
  }

  async find(id: string): Promise<SavedSession | undefined> {
    const named = await this.files({ isWanted: (name) => name.endsWith(id) || id.endsWith(name) });
    const [found] = await this.read(named, { limit: 1, keepsSubagents: true });
    return found ?? (this.own.subagents?.needsId === true ? this.findInside(id) : undefined);
  }

  /** Finds a session whose file name has only a part of its ID. */
  private async findInside(id: string): Promise<SavedSession | undefined> {
    return (await this.read(await this.files(), { limit: maxFound })).find((session) => session.id.endsWith(id));
  }

  async searchable(signal?: AbortSignal): Promise<readonly SearchableSession[]> {
    await this.options.cache.load();
    const files = await this.files({ signal });
    const found: SearchableSession[] = [];
    const slices = new Slices();
    for (let at = 0; at < files.length && signal?.aborted !== true; at += lookedAtOnce) {
      const batch = files.slice(at, at + lookedAtOnce);
      found.push(...(await Promise.all(batch.map((file) => this.searchableFile(file)))));
      if (slices.isSpent) await slices.next();
    }
    return found;
  }

  async related(session: SavedSession): Promise<readonly SavedSession[]> {
    const { timeInId } = this.own;
    if (!timeInId || !this.roots.some((root) => session.path.startsWith(root))) return [];
    const isWanted = (id: string): boolean => id !== session.id && mayBeStartedIn(session, timeInId(id));
    const during = await this.files({ isWanted });
    return this.read(during, { limit: during.length, keepsSubagents: true });
  }

  private async searchableFile(file: SavedFile): Promise<SearchableSession> {
    const { agent, path, modifiedAt } = file;
    const id = this.own.subagents?.needsId === true ? (await this.sessionOf(file, new Map())).id : file.id;
    const session = async (): Promise<SavedSession> => {
      const own = await this.sessionOf(file, new Map());
      return (own.parent === undefined ? undefined : await this.find(own.parent)) ?? own;
    };
    const paths = [path, ...(await findSubagents(file, id, this.options.fs, this.beside))];
    return { agent, id: file.id, key: path, modifiedAt, paths, session };
  }

  private async read(files: readonly SavedFile[], options: ListOptions): Promise<readonly SavedSession[]> {
    const candidates = this.among(files, new Map(), await this.findTitles());
    return (await listSessions(candidates, options, this.options)).sessions;
  }

  private among(
    all: readonly SavedFile[],
    running: ReadonlyMap<string, SessionProcess>,
    titles: ReadonlyMap<string, string>,
    withUse = false,
  ): Candidates {
    const read = async (file: SavedFile): Promise<SavedSession | undefined> => {
      const session = await this.sessionOf(file, running);
      // Agents save sessions, and a window its new chat, before anything was asked.
      if (session.isEmpty === true) return undefined;
      if (this.form.type === 'changes' && session.title === undefined) return undefined;
      const title = titles.get(session.id);
      const named =
        title === undefined
          ? session
          : { ...session, title: oneLine(redactedLine(askedIn(title), this.options.redactor), 200) };
      return withUse && this.own.subagents ? this.withSubagents(named) : named;
    };
    return { all, details: (some) => Promise.all(some.map(read)) };
  }

  private async findTitles(): Promise<ReadonlyMap<string, string>> {
    const { beside } = this.form;
    const lists = this.roots.map(async (root) => [
      ...((await beside?.titles?.(new BesideFiles(beside, root, this.options))) ?? []),
    ]);
    return new Map((await Promise.all(lists)).flat());
  }

  /** Adds what subagents used that are saved in files of their own. */
  private async withSubagents(session: SavedSession): Promise<SavedSession> {
    if (session.hasSubagents === true) return session;
    const { agent } = session;
    const { fs } = this.options;
    const paths = (await findSubagents(session, session.id, fs, this.beside)).slice(-maxSubagents);
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
    return this.own.about?.isEnough === true ? readUsed(file, fs).catch(() => ({})) : this.sessionOf(file, new Map());
  }

  private async sessionOf(file: SavedFile, running: ReadonlyMap<string, SessionProcess>): Promise<SavedSession> {
    const { cache, fs, redactor, isAlive, programs, platform } = this.options;
    const known = cache.get(file);
    // It may just have been deleted, or be unreadable.
    const { pid, ...details }: AboutSession =
      known ?? redactedDetails(await readDetails(file, fs, this.copies).catch(() => ({})), redactor);
    // A PID has to be checked each time.
    if (!known && pid === undefined) cache.set(file, details);
    const id = details.id ?? file.id;
    const named = pid !== undefined && (await isAlive({ pid, at: file.modifiedAt })) ? { pid } : undefined;
    const session = { ...file, ...details, id, ...(id !== file.id && { fileId: file.id }) };
    const runningBy = running.get(id) ?? running.get(file.id) ?? named;
    if (runningBy) return { ...session, running: 'yes', ...runningBy };
    return { ...session, ...(await ofRunningProgram(session, programs, platform)) };
  }

  /** Where sessions are below the agent's folder. */
  private get names(): readonly string[] {
    return this.form.files.flatMap(({ below: [first] }) => first ?? []);
  }

  private async deniedFolder(...roots: readonly string[]): Promise<string | undefined> {
    const folders = roots.flatMap((root) => [root, ...this.names.map((name) => join(root, name))]);
    const isDenied = await Promise.all(folders.map((folder) => this.options.fs.isDenied(folder)));
    return folders.find((_, index) => isDenied[index]);
  }
}

function linksNotice([path, ...others]: readonly string[]): Words | undefined {
  if (path === undefined) return undefined;
  const advice = t("To list what it links to, add its target's folder to {0}.", 'agentLogs.savedSessions.folders');
  return others.length === 0
    ? t('Skipped a link: {0}. {1}', path, advice)
    : t('Skipped {0} links, such as {1}. {2}', others.length + 1, path, advice);
}

/** Tolerance around a session's times for inexact clocks and files, in milliseconds. */
const slack = 60_000;

/** True if something started during a session. @param at NaN if unknown */
function mayBeStartedIn({ startedAt = 0, modifiedAt, lastAt = modifiedAt }: SavedSession, at: number): boolean {
  return !Number.isFinite(at) || (at >= startedAt - slack && at <= Math.max(modifiedAt, lastAt) + slack);
}
