import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageFile } from '../../log/store/pageReader';
import { isAlive } from '../processAlive';
import { SpillFile } from './spillFile';

/** Maximum size of a run's file, in bytes: about three million records. */
const maxFileSize = 1024 * 1024 * 1024;
const fileName = /^(\d+) ([\da-f]+) [\da-f-]+\.pages$/;

/** The folder of the files for records that don't fit into memory. They are deleted with their runs. */
export class SpillFolder {
  /** PIDs are reused. */
  private readonly owner = randomUUID().slice(0, 8);
  private readonly files = new Set<PageFile>();
  private isSwept = false;
  private readonly atExit = (): void => this.dispose();

  /** @param log gets the error if a file can't be used; the run continues without it */
  constructor(
    private readonly path: string,
    private readonly log: { error(error: unknown): void },
  ) {}

  /** A file for one run, created on the first write. */
  create(): PageFile {
    void this.sweepOnce();
    process.removeListener('exit', this.atExit);
    process.once('exit', this.atExit);
    const file: PageFile = new SpillFile({
      path: join(this.path, `${process.pid} ${this.owner} ${randomUUID()}.pages`),
      maxBytes: maxFileSize,
      onProblem: (error) => this.log.error(error),
      onDispose: () => this.files.delete(file),
    });
    this.files.add(file);
    return file;
  }

  /** Deletes all files synchronously. */
  dispose(): void {
    for (const file of this.files) file.dispose();
    process.removeListener('exit', this.atExit);
  }

  /** Deletes files of windows that have crashed, once. */
  async sweepOnce(): Promise<void> {
    if (this.isSwept) return;
    this.isSwept = true;
    const names = await readdir(this.path).catch(() => []);
    for (const name of names) {
      const [, pid, owner] = fileName.exec(name) ?? [];
      if (pid === undefined || owner === this.owner) continue;
      // A file of another owner with our PID is from a process that has exited.
      if (Number(pid) !== process.pid && isAlive(Number(pid))) continue;
      await rm(join(this.path, name), { force: true }).catch(() => undefined);
    }
  }
}
