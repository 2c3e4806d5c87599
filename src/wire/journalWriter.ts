import { writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JournalHeader } from './journalLine';
import { journalLine } from './journalLine';
import type { WireEvent } from './wireEvent';

/** How long lines wait to be written together, in milliseconds. */
const batchMs = 100;
/** Lines that wait for the disk beyond this, in characters, hold back whoever produces them. */
const maxPending = 4 * 1024 * 1024;

export interface JournalOptions {
  /** The path of a part, by its number from 1. */
  readonly fileOf: (part: number) => string;
  readonly header: Omit<JournalHeader, 'part'>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** In bytes; then the journal goes on in another file. */
  readonly maxFileSize: number;
  /** Called once, when it cannot be written any more: the run goes on without. */
  readonly onProblem: (error: Error) => void;
}

/** Writes every wire event of a run to disk, in batches and in order. The files are the person's alone (0600 in 0700). */
export class JournalWriter {
  private pending: string[] = [];
  private pendingChars = 0;
  private file: FileHandle | undefined;
  private part = 0;
  private fileBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();
  private isOff = false;
  private lost = 0;

  constructor(private readonly options: JournalOptions) {}

  /** The newest of its files, once there is one. */
  get path(): string | undefined {
    return this.part === 0 ? undefined : this.options.fileOf(this.part);
  }

  /** How many events are missing in it, because it could not be written. */
  get missing(): number {
    return this.lost;
  }

  /** Whether the disk is so far behind that whoever reads the wire should wait. */
  get isBehind(): boolean {
    return this.pendingChars > maxPending;
  }

  write(event: WireEvent): void {
    if (this.isOff) {
      this.lost++;
      return;
    }
    const line = `${journalLine(event, this.options.startedAt)}\n`;
    this.pending.push(line);
    this.pendingChars += line.length;
    this.timer ??= setTimeout(() => void this.flush(), batchMs);
  }

  /** Settles when all that was written before is in the hands of the operating system. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.working = this.working.then(() => this.drain());
    return this.working;
  }

  /** Writes what waits, and closes the file. */
  async close(): Promise<void> {
    await this.flush();
    this.isOff = true;
    await this.file?.close().catch(() => undefined);
    this.file = undefined;
  }

  /** Deletes all its files, for good. */
  async delete(): Promise<void> {
    await this.close();
    for (let part = 1; part <= this.part; part++) await rm(this.options.fileOf(part), { force: true });
    this.part = 0;
  }

  /** The process is about to end: writes what waits, at once. */
  writeNow(): void {
    clearTimeout(this.timer);
    if (this.isOff || !this.file) return;
    this.isOff = true;
    try {
      // The file is left open: it belongs to its handle, and the process ends.
      writeSync(this.file.fd, this.pending.join(''));
    } catch {
      // nobody is left to be told
    }
  }

  private async drain(): Promise<void> {
    const lines = this.pending;
    if (lines.length === 0 || this.isOff) return;
    this.pending = [];
    this.pendingChars = 0;
    try {
      if (!this.file || this.fileBytes >= this.options.maxFileSize) this.file = await this.nextFile();
      const bytes = Buffer.from(lines.join(''));
      this.fileBytes += bytes.length;
      await writeAll(this.file, bytes);
    } catch (error) {
      this.fail(lines.length, error);
    }
  }

  private async nextFile(): Promise<FileHandle> {
    await this.file?.close();
    this.file = undefined;
    const path = this.options.fileOf(this.part + 1);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    this.part++;
    const header: JournalHeader = { ...this.options.header, part: this.part };
    const bytes = Buffer.from(`${JSON.stringify(header)}\n`);
    this.fileBytes = bytes.length;
    await writeAll(file, bytes);
    return file;
  }

  private fail(lines: number, error: unknown): void {
    this.isOff = true;
    this.lost += lines + this.pending.length;
    this.pending = [];
    this.pendingChars = 0;
    void this.file?.close().catch(() => undefined);
    this.file = undefined;
    this.options.onProblem(error instanceof Error ? error : new Error(String(error)));
  }
}

/** A write may take less than it was given. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}
