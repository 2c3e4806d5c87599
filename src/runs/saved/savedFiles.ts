import { basename, join } from 'node:path';
import type { AgentId } from '../../agents/agents';
import type { SavedFs } from './savedFs';
import type { SavedFile } from './savedSession';

/** A file that was found but not examined yet. */
type FoundFile = Omit<SavedFile, 'size' | 'modifiedAt'>;

/** Maximum number of files to list per agent. */
const maxFiles = 100_000;
/** Number of files to examine concurrently. */
const atOnce = 64;

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const claudeName = new RegExp(`^(${uuid})\\.jsonl$`);
const rolloutName = new RegExp(`^rollout-.{10,40}?-(${uuid})\\.jsonl(?:\\.zst)?$`);

/** Which files to find. */
export interface Wanted {
  /** Stops early; what was found so far is returned. */
  readonly signal?: AbortSignal | undefined;
  /** Only these sessions, by the ID in the file name. */
  readonly isWanted?: (id: string) => boolean;
}

/**
 * Finds the sessions that an agent saved by their file names, newest first. Doesn't read the files.
 * @param root the agent's folder
 */
export async function findSavedFiles(
  agent: AgentId,
  root: string,
  fs: SavedFs,
  { signal, isWanted = () => true }: Wanted = {},
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
  for await (const file of filesOf(agent, root, fs)) {
    if (signal?.aborted === true || found.length + waiting.length >= maxFiles) break;
    if (isWanted(file.id)) waiting.push(file);
    if (waiting.length >= atOnce) await look();
  }
  await look();
  return found.sort((a, b) => b.modifiedAt - a.modifiedAt);
}

async function* filesOf(agent: AgentId, root: string, fs: SavedFs): AsyncGenerator<FoundFile> {
  switch (agent) {
    case 'claude':
      for await (const { path, name: project } of folders(fs, root, 'projects')) {
        yield* named(agent, fs, [path], claudeName, project);
      }
      return;
    case 'codex':
      yield* named(agent, fs, [root, 'archived_sessions'], rolloutName);
      for await (const { path: year } of folders(fs, root, 'sessions')) {
        for await (const { path: month } of folders(fs, year)) {
          for await (const { path: day } of folders(fs, month)) yield* named(agent, fs, [day], rolloutName);
        }
      }
      return;
    case 'gemini':
      for await (const { path, name: project } of folders(fs, root, 'tmp')) {
        yield* named(agent, fs, [path, 'chats'], /^session-(.+)\.jsonl?$/, project);
      }
      return;
    case 'qwen':
      for await (const { path, name: project } of folders(fs, root, 'projects')) {
        yield* named(agent, fs, [path, 'chats'], claudeName, project);
      }
      return;
    case 'copilot':
      for await (const { path, name: id } of folders(fs, root, 'session-state')) {
        yield { agent, id, path: join(path, 'events.jsonl'), about: join(path, 'workspace.yaml') };
      }
      return;
    case 'pi':
      for await (const { path, name: project } of folders(fs, root, 'sessions')) {
        yield* named(agent, fs, [path], /^[^_]+_(.+)\.jsonl$/, project);
      }
      return;
    case 'cline':
      for await (const { path, name: id } of folders(fs, root, 'sessions')) {
        yield { agent, id, path: join(path, `${id}.messages.json`), about: join(path, `${id}.json`) };
      }
      return;
    case 'opencode':
      return; // its sessions are rows of a database
  }
}

async function* named(
  agent: AgentId,
  fs: SavedFs,
  place: readonly [folder: string, ...names: string[]],
  pattern: RegExp,
  project?: string,
): AsyncGenerator<FoundFile> {
  for (const { name, isFolder } of await fs.list(...place)) {
    const id = isFolder ? undefined : pattern.exec(name)?.[1];
    if (id !== undefined) yield { agent, id, path: join(...place, name), ...(project !== undefined && { project }) };
  }
}

async function* folders(
  fs: SavedFs,
  ...place: readonly [folder: string, ...names: string[]]
): AsyncGenerator<{ readonly path: string; readonly name: string }> {
  for (const { name, isFolder } of await fs.list(...place)) if (isFolder) yield { path: join(...place, name), name };
}

/** The subagent files named after a session, oldest first. Codex and OpenCode save subagents as separate sessions. */
export async function findSubagents(
  { agent, path, id }: Pick<SavedFile, 'agent' | 'path' | 'id'>,
  sessionId: string,
  fs: SavedFs,
): Promise<readonly string[]> {
  const paths = await subagentPaths(agent, path, id, sessionId, fs);
  const stats = await Promise.all(paths.map((file) => fs.stat(file)));
  return paths
    .flatMap((file, index) => {
      const known = stats[index];
      return known ? [{ file, at: known.modifiedAt }] : [];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file);
}

async function subagentPaths(
  agent: AgentId,
  path: string,
  id: string,
  sessionId: string,
  fs: SavedFs,
): Promise<readonly string[]> {
  const folder = join(path, '..');
  const among = async (
    fits: (name: string) => boolean,
    ...place: readonly [folder: string, ...names: string[]]
  ): Promise<readonly string[]> =>
    (await fs.list(...place))
      .filter(({ name, isFolder }) => !isFolder && fits(name))
      .map(({ name }) => join(...place, name));
  const isAgent = (name: string): boolean => /^agent-.+\.jsonl$/.test(name);
  switch (agent) {
    case 'claude':
      return among(isAgent, folder, id, 'subagents');
    case 'qwen':
      return among(isAgent, join(folder, '..'), 'subagents', id);
    case 'gemini':
      return among((name) => name.endsWith('.jsonl'), folder, sessionId);
    case 'cline':
      return among((name) => name.endsWith('.messages.json') && name !== basename(path), folder);
    default:
      return [];
  }
}
