import { copyFile, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../files/wholeFile';
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

  private async copy(): Promise<void> {
    const { atime, mtime } = await stat(this.source);
    await replaceFile(this.path, async (temporary) => {
      await copyFile(this.source, temporary);
      await utimes(temporary, atime, mtime);
    });
  }
}

/** Identifies a version of a file, by when it was written (in seconds since the epoch) and its size (in bytes); `undefined` if there is no file. */
async function stampOf(path: string): Promise<{ readonly writtenAt: number; readonly size: number } | undefined> {
  const known = await stat(path).catch(() => undefined);
  return known && { writtenAt: Math.round(known.mtimeMs / 1000), size: known.size };
}
