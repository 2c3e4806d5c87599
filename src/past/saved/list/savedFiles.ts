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
        else if (id !== undefined)
          yield { agent, id, path: join(path, name), ...(project !== undefined && { project }) };
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
  const places = subagents.folder ? await foldersIn(place, subagents.folder, fs) : [place];
  for (const more of subagents.morePlaces?.({ name }) ?? []) {
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

/** The subagents whose files are beside those of their sessions. Each folder is looked at once. */
export class SubagentsBeside {
  private readonly folders = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();

  constructor(private readonly fs: SavedFs) {}

  async of(folder: string, file: RegExp, sessionId: string): Promise<readonly string[]> {
    const known = this.folders.get(folder) ?? this.read(folder, file);
    this.folders.set(folder, known);
    return (await known).get(sessionId) ?? [];
  }

  /** Paths by session. */
  private async read(folder: string, file: RegExp): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, string[]>();
    const entries = (await this.fs.list(folder)).filter(({ name, isFolder }) => !isFolder && file.test(name));
    for (const { name } of entries.slice(0, maxBeside)) {
      const path = join(folder, name);
      const head = await this.fs.read(path, 0, besideHead).catch(() => Buffer.alloc(0));
      const session = /"sessionId":"([^"]{1,100})"/.exec(head.toString('utf8'))?.[1];
      if (session !== undefined) found.set(session, [...(found.get(session) ?? []), path]);
    }
    return found;
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
