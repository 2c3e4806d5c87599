import type { Dirent } from 'node:fs';
import { access, constants, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A file, a folder, or a link, which isn't followed because it could lead out of an agent's folder. */
export interface FsEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink?: boolean;
}

export interface LinkTarget {
  /** A folder; `undefined` if the link may not be followed. */
  readonly target?: string;
}

export interface FsStats {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Reads the folders of agents, and never writes. */
export interface SavedFs {
  /**
   * The entries of a folder; empty if it is missing or can't be read.
   * @param names leads from there to a folder below it, not through links
   */
  list(folder: string, ...names: readonly string[]): Promise<readonly FsEntry[]>;
  /**
   * Where a link in an agent's own folder leads: to another folder of the same user in their home folder, because people keep settings in a
   * repository. `undefined` if it's no link. Without it, there are no links.
   * @param home the user's home folder
   */
  linkAt?(path: string, home: string): Promise<LinkTarget | undefined>;
  /** True if the folder exists, but the user may not list it. */
  isDenied(folder: string): Promise<boolean>;
  /** `undefined` if it's missing, or a link. */
  stat(path: string): Promise<FsStats | undefined>;
  /**
   * @param length maximum number of bytes
   * @throws if the file can't be read
   */
  read(path: string, from: number, length: number): Promise<Buffer>;
}

async function folderAt(path: string): Promise<{ readonly isFolder: boolean; readonly uid: number }> {
  const stats = await lstat(path);
  return { isFolder: stats.isDirectory(), uid: stats.uid };
}

export const nodeFs: SavedFs = {
  async list(base, ...names) {
    let folder = base;
    for (const name of names) {
      folder = join(folder, name);
      if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true) return [];
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => {
        const isLink = entry.isSymbolicLink();
        return { name: entry.name, isFolder: entry.isDirectory(), ...(isLink && { isLink }) };
      });
  },
  async linkAt(path, home) {
    const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
    if (!isLink) return undefined;
    try {
      const [target, realHome] = await Promise.all([realpath(path), realpath(home)]);
      const [{ uid, ...found }, own] = await Promise.all([folderAt(target), folderAt(realHome)]);
      const isAllowed = found.isFolder && uid === own.uid && target.startsWith(realHome + sep);
      return isAllowed ? { target } : {};
    } catch {
      return {}; // Its target is missing.
    }
  },
  async isDenied(folder) {
    const isReadable = await access(folder, constants.R_OK | constants.X_OK).then(
      () => true,
      (error: unknown) =>
        !(error instanceof Error && 'code' in error && ['EACCES', 'EPERM'].includes(String(error.code))),
    );
    // A file can't be listed either.
    return !isReadable && (await stat(folder).catch(() => undefined))?.isFile() !== true;
  },
  async stat(path) {
    const found = await lstat(path).catch(() => undefined);
    return found?.isFile() ? { size: found.size, modifiedAt: found.mtimeMs } : undefined;
  },
  async read(path, from, length) {
    const file = await open(path, 'r');
    try {
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await file.read(buffer, 0, length, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  },
};
