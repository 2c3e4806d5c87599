import { randomUUID } from 'node:crypto';
import { readSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PageFile, PagePlace } from '../../store/pageReader';
import { makeFolder } from '../makeFolder';
import { isAlive } from '../processAlive';
import { FreeSpace } from './freeSpace';

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

export interface SpillFileOptions {
  readonly path: string;
  /** Maximum size of the file, in bytes. */
  readonly maxBytes: number;
  /** Called once, with the first error of the disk. */
  readonly onProblem: (error: unknown) => void;
  readonly onDispose?: () => void;
}

/** Offsets are multiples of this, in bytes, so that freed space fits other pages. */
const unit = 4096;

/** A private file for pages of a run's records. It is created with the first page, and takes no more after a failed write. */
export class SpillFile implements PageFile {
  private handle: Promise<FileHandle> | undefined;
  private fd: number | undefined;
  private end = 0;
  private readonly freed = new FreeSpace();
  private hasFailed = false;
  private isDisposed = false;

  constructor(private readonly options: SpillFileOptions) {}

  async write(bytes: readonly Uint8Array[]): Promise<PagePlace | undefined> {
    if (this.hasFailed || this.isDisposed) return undefined;
    const length = bytes.reduce((sum, one) => sum + one.length, 0);
    const place = this.take(length);
    if (!place) return undefined;
    try {
      const handle = await (this.handle ??= this.opened());
      let written = 0;
      for (const one of bytes) written += await writeAll(handle, one, place.offset + written);
      return this.isOver() ? undefined : { offset: place.offset, length };
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  async read({ offset }: PagePlace, length: number): Promise<Buffer | undefined> {
    try {
      const handle = await this.handle;
      if (!handle || this.isDisposed) return undefined;
      const bytes = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await handle.read(bytes, 0, length, offset);
      if (bytesRead === length) return bytes;
      this.fail(new Error('The file is shorter than it was.'));
    } catch (error) {
      this.fail(error);
    }
    return undefined;
  }

  readNow({ offset }: PagePlace, length: number): Buffer | undefined {
    if (this.fd === undefined || this.isDisposed) return undefined;
    try {
      const bytes = Buffer.allocUnsafeSlow(length);
      if (readSync(this.fd, bytes, 0, length, offset) === length) return bytes;
      this.fail(new Error('The file is shorter than it was.'));
    } catch (error) {
      this.fail(error);
    }
    return undefined;
  }

  free({ offset, length }: PagePlace): void {
    this.freed.add({ offset, length: roundedUp(length) });
  }

  /** Synchronous, so that nothing is left when the process exits. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    if (this.handle) {
      this.delete();
      // After pending operations: a closed descriptor may be reused for another file.
      void this.handle
        .then((handle) => handle.close())
        .then(
          () => this.delete(), // Windows doesn't delete open files.
          () => undefined,
        );
    }
    this.options.onDispose?.();
  }

  private delete(): void {
    try {
      rmSync(this.options.path, { force: true });
    } catch {
      // A later sweep deletes it.
    }
  }

  // A method, so that TypeScript doesn't narrow it across the await.
  private isOver(): boolean {
    return this.isDisposed;
  }

  private async opened(): Promise<FileHandle> {
    const { path } = this.options;
    await makeFolder(dirname(path));
    const handle = await open(path, 'wx+', 0o600);
    this.fd = handle.fd;
    return handle;
  }

  private fail(error: unknown): void {
    if (!this.hasFailed && !this.isDisposed) this.options.onProblem(error);
    this.hasFailed = true;
  }

  /** Allocates space that another page has freed, or at the end. */
  private take(length: number): PagePlace | undefined {
    const needed = roundedUp(length);
    const offset = this.freed.take(needed);
    if (offset !== undefined) return { offset, length };
    if (this.end + needed > this.options.maxBytes) return undefined;
    this.end += needed;
    return { offset: this.end - needed, length };
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<number> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, offset + written);
    written += bytesWritten;
  }
  return written;
}

function roundedUp(length: number): number {
  return Math.ceil(length / unit) * unit;
}
