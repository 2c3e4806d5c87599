import { copyFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../wire/makeFolder';

/** A copy of a program at a place that no update takes away: what was given its path goes on working, with the newest that there is. */
export class ProgramCopy {
  /**
   * @param source where it is now; an update moves it
   * @param path where the copy is
   */
  constructor(
    private readonly source: string,
    private readonly path: string,
  ) {}

  /**
   * Makes the copy, if it is not the same already; answers its path.
   * @throws the error of the system where that is not possible
   */
  async make(): Promise<string> {
    await makeFolder(dirname(this.path));
    if (!(await this.isCurrent())) await this.copy();
    return this.path;
  }

  /** Renews the copy where somebody once had it made. */
  async renew(): Promise<void> {
    if ((await stampOf(this.path)) !== undefined) await this.make();
  }

  private async isCurrent(): Promise<boolean> {
    const known = await stampOf(this.path);
    return known !== undefined && known === (await stampOf(this.source));
  }

  /** In one step: somebody may start it at any time. */
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

/** What tells a file from another version of it: when it was written, and how large it is. `undefined` where there is none. */
async function stampOf(path: string): Promise<string | undefined> {
  const known = await stat(path).catch(() => undefined);
  return known && `${Math.round(known.mtimeMs / 1000)} ${known.size}`;
}
