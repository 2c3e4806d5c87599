import { copyFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../wire/journal/makeFolder';

/** A copy of a program at a path that survives extension updates, always the newest version. */
export class ProgramCopy {
  /**
   * @param source the program's current path, which changes with each update
   * @param path the path of the copy
   */
  constructor(
    private readonly source: string,
    private readonly path: string,
  ) {}

  /**
   * Makes the copy, unless the same or a newer one exists. Returns its path.
   * @throws file system errors
   */
  async make(): Promise<string> {
    await makeFolder(dirname(this.path));
    if (!(await this.isCurrent())) await this.copy();
    return this.path;
  }

  /** Updates the copy if it exists. Returns whether it did. */
  async renew(): Promise<boolean> {
    const exists = (await stampOf(this.path)) !== undefined;
    if (exists) await this.make();
    return exists;
  }

  /** Windows with different extension versions may be open; older ones don't replace a newer copy. */
  private async isCurrent(): Promise<boolean> {
    const [known, source] = await Promise.all([stampOf(this.path), stampOf(this.source)]);
    if (!known || !source) return false;
    return known.writtenAt > source.writtenAt || (known.writtenAt === source.writtenAt && known.size === source.size);
  }

  /** Atomic, because another process may start it at any time. */
  private async copy(): Promise<void> {
    const { atime, mtime } = await stat(this.source);
    const next = `${this.path}.${process.pid}`;
    try {
      await copyFile(this.source, next);
      await utimes(next, atime, mtime);
      await rename(next, this.path);
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    }
  }
}

/** Identifies a version of a file. */
interface Stamp {
  /** In seconds since the epoch. */
  readonly writtenAt: number;
  /** In bytes. */
  readonly size: number;
}

/** `undefined` if there is no file. */
async function stampOf(path: string): Promise<Stamp | undefined> {
  const known = await stat(path).catch(() => undefined);
  return known && { writtenAt: Math.round(known.mtimeMs / 1000), size: known.size };
}
