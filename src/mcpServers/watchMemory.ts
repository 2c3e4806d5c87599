import { chmod, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../text/json';
import { arrayOf, objectOf, textOf, textsOf } from '../text/json';
import { makeFolder } from '../machine/makeFolder';
import { withFileLock } from '../machine/fileLock';
import { readWhole, replaceFile } from '../machine/wholeFile';
import type { Wrapping } from './wrapping';

/** A server whose command was wrapped, and what was written into its entry. */
export interface WatchedServer {
  /** Absolute path of the settings file. */
  readonly file: string;
  /** The keys of the entry in that file. */
  readonly path: readonly string[];
  /** Display name of the client. */
  readonly client: string;
  readonly wrapping: Wrapping;
}

const maxBytes = 4 * 1024 * 1024;

/** Remembers what was wrapped, in a file beside the tap's program: for all windows and profiles, and also after the extension was removed. */
export class WatchMemory {
  private readonly path: string;

  /** @param tapFolder the folder of the taps' journals */
  constructor(tapFolder: string) {
    this.path = join(dirname(tapFolder), 'watched-mcp-servers.json');
  }

  async all(): Promise<readonly WatchedServer[]> {
    const text = await readWhole(this.path, maxBytes);
    return text === undefined ? [] : serversIn(text);
  }

  async add(servers: readonly WatchedServer[]): Promise<void> {
    await this.update((known) => [...without(known, servers), ...servers]);
  }

  async remove(servers: readonly Pick<WatchedServer, 'file' | 'path'>[]): Promise<void> {
    await this.update((known) => without(known, servers));
  }

  /** Runs an action that changes settings files while no other window does. It may call `add` and `remove`. */
  whileAlone<T>(action: () => Promise<T>): Promise<T> {
    return this.locked('settings', action);
  }

  private update(change: (known: readonly WatchedServer[]) => readonly WatchedServer[]): Promise<void> {
    return this.locked('memory', async () => this.write(change(await this.all())));
  }

  private async locked<T>(what: 'settings' | 'memory', action: () => Promise<T>): Promise<T> {
    await makeFolder(dirname(this.path));
    return withFileLock(`${this.path}.${what}.lock`, action);
  }

  private async write(servers: readonly WatchedServer[]): Promise<void> {
    if (servers.length === 0) return rm(this.path, { force: true });
    const text = `${JSON.stringify({ version: 1, servers }, null, 2)}\n`;
    await replaceFile(this.path, async (temporary) => {
      await writeFile(temporary, text, { mode: 0o600 });
      await chmod(temporary, 0o600);
    });
  }
}

/** The one that an entry in a file belongs to. */
export function watchedAt<T extends Pick<WatchedServer, 'file' | 'path'>>(
  servers: readonly T[],
  place: Pick<WatchedServer, 'file' | 'path'>,
): T | undefined {
  return servers.find((one) => keyOf(one) === keyOf(place));
}

function without(
  servers: readonly WatchedServer[],
  removed: readonly Pick<WatchedServer, 'file' | 'path'>[],
): readonly WatchedServer[] {
  return servers.filter((one) => watchedAt(removed, one) === undefined);
}

function keyOf({ file, path }: Pick<WatchedServer, 'file' | 'path'>): string {
  return JSON.stringify([file, ...path]);
}

function serversIn(text: string): readonly WatchedServer[] {
  try {
    return arrayOf(objectOf(JSON.parse(text))['servers']).flatMap((one) => serverOf(objectOf(one)) ?? []);
  } catch {
    return []; // The commands themselves say what was there.
  }
}

function serverOf({ file, path, client, wrapping }: JsonObject): WatchedServer | undefined {
  const { program, words, added } = objectOf(wrapping);
  const { before, after } = objectOf(program);
  if (typeof file !== 'string' || arrayOf(words).length === 0) return undefined;
  return {
    file,
    path: arrayOf(path).map(String),
    client: textOf(client) ?? '',
    wrapping: {
      words: textsOf(...arrayOf(words)),
      ...(typeof before === 'string' && typeof after === 'string' && { program: { before, after } }),
      ...(typeof added === 'string' && { added }),
    },
  };
}
