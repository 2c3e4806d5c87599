import { access, chmod, constants, lstat, mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { t, verbatim } from '../text/translator';
import { canBeSecret } from '../live/process/secretsOfStart';
import { tapWords } from '../live/config/tapWords';
import { replaceFile } from '../machine/wholeFile';
import { HumanError, messageOf } from '../text/humanError';
import type { AddedServer } from './addedServer';
import { withServer } from './addedServer';
import type { ConfigFile } from './configFiles';
import { configText } from './configText';
import type { ConfiguredServer } from './configuredServers';
import { whyUnreadable } from './parseConfig';
import type { WatchedServer, WatchMemory } from './watchMemory';
import { watchedAt } from './watchMemory';
import { unwrapped, wrapped } from './wrapping';

/** A change of a settings file, for the user to look at before it is made. */
export interface ConfigChange {
  /** An absolute path. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** True if there is no file yet. */
  readonly isNew?: boolean;
  /** The watched servers that it is about. */
  readonly servers: readonly WatchedServer[];
}

/** What can be undone. */
export interface StopPlan {
  readonly changes: readonly ConfigChange[];
  /** Servers whose entries were changed by hand where the tap is. */
  readonly conflicts: readonly ConfiguredServer[];
}

/**
 * Plans to put the tap in front of servers.
 * @param cli the path of the tap's program
 */
export function watchChanges(servers: readonly ConfiguredServer[], cli: string): Promise<readonly ConfigChange[]> {
  return changesOf(servers, (text, server) => {
    const { file, path, config } = server;
    const result = wrapped(text, { file: config, path }, frontOf(server, cli));
    return (
      result && { after: result.text, done: { file, path, client: config.client.label, wrapping: result.wrapping } }
    );
  });
}

/** Plans to restore what was there before. */
export async function stopChanges(servers: readonly ConfiguredServer[], memory: WatchMemory): Promise<StopPlan> {
  const known = await memory.all();
  const conflicts: ConfiguredServer[] = [];
  const changes = await changesOf(servers, (text, server) => {
    const { file, path, config } = server;
    const place = { file: config, path };
    // A server that was renamed since is recognized by what was written in front of its command.
    const remembered =
      watchedAt(known, { file, path }) ??
      known.find((one) => one.file === file && typeof unwrapped(text, place, one.wrapping) === 'object');
    const result = unwrapped(text, place, remembered?.wrapping);
    if (result === 'changed') conflicts.push(server);
    if (typeof result !== 'object') return undefined;
    return {
      after: result.text,
      done: remembered ?? { file, path, client: config.client.label, wrapping: { words: [] } },
    };
  });
  return { changes, conflicts };
}

/** @param edit makes the change of one server in the text of its file; `undefined` if there is nothing to do */
async function changesOf(
  servers: readonly ConfiguredServer[],
  edit: (
    text: string,
    server: ConfiguredServer,
  ) => { readonly after: string; readonly done: WatchedServer } | undefined,
): Promise<readonly ConfigChange[]> {
  const changes: ConfigChange[] = [];
  for (const [file, own] of byFile(servers)) {
    const before = await textOf(file);
    let after = before;
    const done: WatchedServer[] = [];
    for (const server of own) {
      const edited = edit(after, server);
      if (!edited) continue;
      after = edited.after;
      done.push(edited.done);
    }
    if (after !== before) changes.push({ file, before, after, servers: done });
  }
  return changes;
}

/**
 * Plans to add a server to a settings file, which needn't exist.
 * @returns `undefined` if it is there already
 * @throws HumanError if the file can't be read or added to
 */
export async function addChange(config: ConfigFile, server: AddedServer): Promise<ConfigChange | undefined> {
  const { path: file } = config;
  try {
    const text = await configText(file);
    if (text === undefined && (await isLink(file))) {
      throw new HumanError(t("{0} links to a file that doesn't exist. Create that file, then try again.", file));
    }
    const after = withServer(text ?? '', config, server);
    return after === undefined
      ? undefined
      : { file, before: text ?? '', after, isNew: text === undefined, servers: [] };
  } catch (error) {
    throw error instanceof HumanError ? error : new HumanError(whyUnreadable(error, config));
  }
}

async function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

/**
 * Restores what was there before a change.
 * @throws HumanError if the file was changed since
 */
export async function undoChange(change: ConfigChange): Promise<void> {
  const undone = { ...change, before: change.after, after: change.before, isNew: false };
  if (!change.isNew) return makeChange(undone);
  await check(undone);
  await rm(change.file);
}

/** Remembers what it writes first, so that a crash in between loses nothing. */
export async function startWatching(change: ConfigChange, memory: WatchMemory): Promise<void> {
  await memory.whileAlone(async () => {
    await check(change); // Before remembering: another window may have watched the same servers.
    await memory.add(change.servers);
    try {
      await makeChange(change);
    } catch (error) {
      await memory.remove(change.servers);
      throw error;
    }
  });
}

export async function stopWatching(change: ConfigChange, memory: WatchMemory): Promise<void> {
  await memory.whileAlone(async () => {
    await makeChange(change);
    await memory.remove(change.servers);
  });
}

/** Forgets servers that were restored by hand. @param unreadable the settings files that couldn't be read */
export async function forgetGone(
  found: readonly ConfiguredServer[],
  unreadable: readonly string[],
  memory: WatchMemory,
): Promise<void> {
  const known = await memory.all();
  const watched = found.filter(({ isWatched }) => isWatched);
  const isGone = (one: WatchedServer): boolean =>
    !unreadable.includes(one.file) &&
    watchedAt(watched, one) === undefined &&
    // It may have been renamed.
    !watched.some((server) => server.file === one.file && watchedAt(known, server) === undefined);
  const gone = known.filter(isGone);
  if (gone.length > 0) await memory.remove(gone);
}

/**
 * Replaces the file, unless it isn't as it was shown.
 * @throws HumanError
 */
export async function makeChange(change: ConfigChange): Promise<void> {
  await check(change);
  const { file, after, isNew = false } = change;
  try {
    if (isNew) await mkdir(dirname(file), { recursive: true });
    const target = isNew ? file : await realpath(file); // It may be a link into a repository of settings.
    const mode = isNew ? 0o600 : await writableMode(target);
    await replaceFile(target, async (temporary) => {
      await writeFile(temporary, after, { mode, flush: true });
      await chmod(temporary, mode);
    });
  } catch (error) {
    if (error instanceof HumanError) throw error;
    throw new HumanError(t("Can't write {0}: {1}", file, verbatim(messageOf(error))));
  }
}

/** The mode of a file that may be written: renaming would replace others, too. */
async function writableMode(file: string): Promise<number> {
  const { mode } = await stat(file);
  if ((mode & 0o222) === 0) throw new HumanError(t('{0} is read-only. Make it writable, then try again.', file));
  await access(file, constants.W_OK);
  return mode;
}

/** @throws HumanError if the file isn't as it was shown */
async function check({ file, before, isNew = false }: ConfigChange): Promise<void> {
  if (isNew ? (await configText(file)) !== undefined : (await textOf(file)) !== before) {
    throw new HumanError(t('{0} changed in the meantime, so it was left as it is. Try again.', file));
  }
}

async function textOf(file: string): Promise<string> {
  const text = await configText(file);
  if (text === undefined) throw new HumanError(t('{0} no longer exists.', file));
  return text;
}

function byFile(servers: readonly ConfiguredServer[]): readonly (readonly [string, readonly ConfiguredServer[]])[] {
  const files = new Set(servers.map(({ file }) => file));
  return [...files].map((file) => [file, servers.filter((server) => server.file === file)]);
}

/** Everything up to the `--` of the tap. @param cli the path of its program */
export function frontOf({ name, start }: ConfiguredServer, cli: string): readonly string[] {
  if (start.type !== 'process') return [];
  const secretEnv = Object.entries(start.env).flatMap(([variable, value]) =>
    canBeSecret(value) || value.includes('$') || value.includes('{') ? [variable] : [],
  );
  return [nodeFor(start.command), cli, ...tapWords({ name, protocol: 'mcp', secretEnv })];
}

/** The Node.js beside a program with an absolute path, such as npx: clients with paths in their settings often have no `PATH` for it. */
function nodeFor(command: string): string {
  const folder = /^(?:\/|[A-Za-z]:[\\/])/.test(command) ? dirname(command) : undefined;
  const beside = folder === undefined ? [] : [join(folder, 'node'), join(folder, 'node.exe')];
  return beside.find((path) => existsSync(path)) ?? 'node';
}
