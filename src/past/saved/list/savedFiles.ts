import { basename, dirname, join, sep } from 'node:path';
import type { SaverId } from '../../../agents/agents';
import { filesFormOf, formOf } from '../../../agents/agents';
import { anyFolder } from '../../../agents/savedForm';
import { newestFirst } from './newestFirst';
import type { SavedFs } from './savedFs';
import type { SavedFile } from '../savedSession';

/** A file that was found but not examined yet. */
type FoundFile = Omit<SavedFile, 'size' | 'modifiedAt'>;

/** Maximum number of files to list per agent. */
const maxFiles = 100_000;
/** Maximum number of folders of a session to look for subagents in. */
const maxFolders = 1000;
/** Maximum number of subagents beside the sessions of a folder, and how much of each to read, in bytes. */
const maxBeside = 5000;
const besideHead = 16 * 1024;
/** Number of files to examine concurrently. */
const atOnce = 64;

/** Where to look. */
export interface SavedRoots {
  /** The agent's folders. */
  readonly roots: readonly string[];
  /** The user's home folder. */
  readonly home: string;
}

/** Which files to find. */
export interface Wanted {
  /** Stops early; what was found so far is returned. */
  readonly signal?: AbortSignal | undefined;
  /** Only these sessions, by the ID in the file name. */
  readonly isWanted?: (id: string) => boolean;
  /** Called for each link that isn't followed, where sessions or their folders are. */
  readonly onLink?: (path: string) => void;
}

/**
 * Finds the sessions that an agent saved by their file names, newest first. Doesn't read the files.
 */
export async function findSavedFiles(
  agent: SaverId,
  { roots, home }: SavedRoots,
  fs: SavedFs,
  { signal, isWanted = () => true, onLink }: Wanted = {},
): Promise<readonly SavedFile[]> {
  const found: SavedFile[] = [];
  let waiting: FoundFile[] = [];
  const look = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const stats = await Promise.all(batch.map(({ path }) => fs.stat(path)));
    batch.forEach((file, index) => {
      const known = stats[index];
      if (known) found.push({ ...file, ...known });
    });
  };
  for await (const file of filesOf(agent, { roots, home }, fs, onLink)) {
    if (signal?.aborted === true || found.length + waiting.length >= maxFiles) break;
    if (isWanted(file.id)) waiting.push(file);
    if (waiting.length >= atOnce) await look();
  }
  await look();
  return newestFirst(found);
}

async function* filesOf(
  agent: SaverId,
  { roots, home }: SavedRoots,
  fs: SavedFs,
  onLink: Wanted['onLink'],
): AsyncGenerator<FoundFile> {
  const form = formOf(agent);
  if (form.type === 'database') return;
  const { about, namesProjects = false } = filesFormOf(agent);
  for (const { root, place } of roots.flatMap((one) => form.files.map((each) => ({ root: one, place: each })))) {
    const [first = '', ...below] = place.below;
    const link = first === anyFolder ? undefined : await fs.linkAt?.(join(root, first), home);
    if (link && link.target === undefined) onLink?.(join(root, first));
    const [start, names] = link?.target === undefined ? [root, place.below] : [link.target, below];
    for await (const folder of placesIn(fs, start, names, onLink)) {
      const path = join(...folder);
      if ('file' in place) {
        const name = basename(path);
        const id = place.id?.(name) ?? name;
        yield { agent, id, path: join(path, place.file(name)), ...(about && { about: join(path, about.file(name)) }) };
        continue;
      }
      const project = namesProjects ? projectIn(path, place.below) : undefined;
      for (const { name, isFolder, isLink } of await fs.list(...folder)) {
        const id = isFolder ? undefined : place.name.exec(name)?.[1];
        if (isLink === true && id !== undefined) onLink?.(join(path, name));
        else if (id !== undefined) {
          yield { agent, id, path: join(path, name), ...(project !== undefined && { project }) };
        }
      }
    }
  }
}

/** A folder, and the names that lead from there to one below it. */
type Place = readonly [folder: string, ...names: string[]];

async function* placesIn(
  fs: SavedFs,
  folder: string,
  names: readonly string[],
  onLink?: Wanted['onLink'],
): AsyncGenerator<Place> {
  const at = names.indexOf(anyFolder);
  if (at < 0) {
    yield [folder, ...names];
    return;
  }
  const fixed = names.slice(0, at);
  for (const { name, isFolder, isLink } of await fs.list(folder, ...fixed)) {
    if (isLink === true) onLink?.(join(folder, ...fixed, name));
    if (isFolder) yield* placesIn(fs, join(folder, ...fixed, name), names.slice(at + 1), onLink);
  }
}

/** The name of the project's folder. */
function projectIn(folder: string, below: readonly string[]): string | undefined {
  return folder.split(sep).at(below.indexOf(anyFolder) - below.length);
}

/** The files of a session's subagents, oldest first. */
export async function findSubagents(
  { agent, path }: Pick<SavedFile, 'agent' | 'path'>,
  sessionId: string,
  fs: SavedFs,
  beside = new SubagentsBeside(fs),
): Promise<readonly string[]> {
  const { subagents } = filesFormOf(agent);
  if (!subagents) return [];
  const name = basename(path).replace(/\.jsonl$/, '');
  const names = subagents.place({ name, id: sessionId });
  const up = names.filter((one) => one === '..');
  const place: Place = [join(dirname(path), ...up), ...names.slice(up.length)];
  // Most sessions have no folder.
  const hasFolder = subagents.isBeside !== true || (await beside.hasFolder(dirname(path), subagents.file, name));
  const usual = subagents.folder ? await foldersIn(place, subagents.folder, fs) : [place];
  const places = hasFolder ? usual : [];
  for (const more of hasFolder ? (subagents.morePlaces?.({ name }) ?? []) : []) {
    for await (const found of placesIn(fs, dirname(path), more)) places.push(found);
  }
  const lists = await Promise.all(places.map((folder) => fs.list(...folder)));
  const paths = lists
    .flatMap((entries, index) =>
      entries
        .filter(({ name, isFolder }) => !isFolder && subagents.file.test(name))
        .map(({ name }) => join(...(places[index] ?? place), name)),
    )
    .filter((file) => file !== path);
  if (subagents.isBeside === true) paths.push(...(await beside.of(dirname(path), subagents.file, sessionId)));
  const stats = await Promise.all(paths.map((file) => fs.stat(file)));
  return paths
    .flatMap((file, index) => {
      const known = stats[index];
      return known ? [{ file, at: known.modifiedAt }] : [];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file);
}

interface FolderOfSessions {
  /** Names of the folders and links in it. */
  readonly folders: ReadonlySet<string>;
  /** Paths of subagents by session. */
  readonly subagents: ReadonlyMap<string, readonly string[]>;
}

/** What is beside the files of sessions: files of subagents, and folders. Each folder is looked at once. */
export class SubagentsBeside {
  private readonly known = new Map<string, Promise<FolderOfSessions>>();

  constructor(private readonly fs: SavedFs) {}

  async of(folder: string, file: RegExp, sessionId: string): Promise<readonly string[]> {
    return (await this.look(folder, file)).subagents.get(sessionId) ?? [];
  }

  async hasFolder(folder: string, file: RegExp, name: string): Promise<boolean> {
    return (await this.look(folder, file)).folders.has(name);
  }

  private look(folder: string, file: RegExp): Promise<FolderOfSessions> {
    const known = this.known.get(folder) ?? this.read(folder, file);
    this.known.set(folder, known);
    return known;
  }

  private async read(folder: string, file: RegExp): Promise<FolderOfSessions> {
    const found = new Map<string, string[]>();
    const all = await this.fs.list(folder);
    const entries = all.filter(({ name, isFolder }) => !isFolder && file.test(name));
    for (const { name } of entries.slice(0, maxBeside)) {
      const path = join(folder, name);
      const head = await this.fs.read(path, 0, besideHead).catch(() => Buffer.alloc(0));
      const session = /"sessionId":"([^"]{1,100})"/.exec(head.toString('utf8'))?.[1];
      if (session !== undefined) found.set(session, [...(found.get(session) ?? []), path]);
    }
    const folders = all.flatMap(({ name, isFolder, isLink }) => (isFolder || isLink === true ? name : []));
    return { folders: new Set(folders), subagents: found };
  }
}

async function foldersIn(place: Place, named: RegExp, fs: SavedFs): Promise<Place[]> {
  const entries = await fs.list(...place);
  return entries
    .filter(({ name, isFolder }) => isFolder && named.test(name))
    .slice(0, maxFolders)
    .map(({ name }) => [...place, name]);
}

/**
 * The name of the session whose folder a file is in: the session's own or a subagent's. `undefined` if it is elsewhere, or if the agent's
 * files name their session.
 */
export function sessionNameAt(agent: SaverId, path: string): string | undefined {
  const { files = [], naming, subagents } = filesFormOf(agent);
  const names = path.split(sep);
  for (const place of naming ? files : []) {
    if (!('file' in place)) continue;
    const own = place.file('').split('/');
    const found = names.slice(-own.length);
    if (found.every((name, at) => name === own[at] || subagents?.folder?.test(name))) return names.at(-own.length - 1);
  }
  return undefined;
}
