import type { Dirent } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';

/** A file, or a folder. Links are neither: they could lead out of an agent's folder. */
export interface FsEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface FsStats {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Reads the folders of agents, and never writes. */
export interface SavedFs {
  /** What is in a folder; nothing if it is missing or may not be read. */
  list(folder: string): Promise<readonly FsEntry[]>;
  /** `undefined` for what is missing, and for links. */
  stat(path: string): Promise<FsStats | undefined>;
  /**
   * @param length at most so many bytes
   * @throws if the file can't be read
   */
  read(path: string, from: number, length: number): Promise<Buffer>;
}

export const nodeFs: SavedFs = {
  async list(folder) {
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    return entries
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
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
