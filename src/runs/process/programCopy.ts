import { copyFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../wire/journal/makeFolder';

/** A copy of a program at a place that no update takes away: what was given its path goes on working, with the newest that there is. */
export class ProgramCopy {
  /**
   * @param source its current path; an update moves it
   * @param path where the copy is
   */
  constructor(
    private readonly source: string,
    private readonly path: string,
  ) {}

  /**
   * Makes the copy, if it is not the same or a newer one already; answers its path.
   * @throws the error of the system if that is not possible
   */
  async make(): Promise<string> {
    await makeFolder(dirname(this.path));
    if (!(await this.isCurrent())) await this.copy();
    return this.path;
  }

  /** Renews the copy if it was ever made; answers whether it was. */
  async renew(): Promise<boolean> {
    const exists = (await stampOf(this.path)) !== undefined;
    if (exists) await this.make();
    return exists;
  }

  /** Windows with different versions of the extension may be open: the older ones leave alone what the newest has made. */
  private async isCurrent(): Promise<boolean> {
    const [known, source] = await Promise.all([stampOf(this.path), stampOf(this.source)]);
    if (!known || !source) return false;
    return known.writtenAt > source.writtenAt || (known.writtenAt === source.writtenAt && known.size === source.size);
  }

  /** In one step: another process may start it at any time. */
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

/** What tells a file from another version of it. */
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
