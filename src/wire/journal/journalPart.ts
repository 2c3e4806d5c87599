import { t, WordsError } from '../../text/translator';

import type { Stats } from 'node:fs';
import { closeSync, fstatSync, openSync, readSync, statSync, writevSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';

/** Number of buffers that every system accepts in one call (IOV_MAX, POSIX). */
const maxAtOnce = 16;
/** How long an exiting process waits for a write in progress, in milliseconds. */
const exitTimeout = 500;
const lineFeed = 10;
const isWindows = process.platform === 'win32';

/** The methods of an open file that a journal uses. */
export interface JournalHandle extends Pick<FileHandle, 'fd' | 'truncate' | 'utimes' | 'close'> {
  stat(): Promise<Stats>;
  writev(blocks: readonly Buffer[]): Promise<{ readonly bytesWritten: number }>;
}

/** Opens a file for appending, and creates it if necessary. */
export type OpenJournal = (path: string) => Promise<JournalHandle>;

/** Readable only by its owner. */
const openPrivate: OpenJournal = (path) => open(path, 'a', 0o600);

/** One file of a journal: a header, then whole lines. */
export class JournalPart {
  private written = 0;
  /** Size of the file after the last finished write, in bytes. */
  private size = 0;
  /** Size of the write in progress, in bytes. */
  private inFlight = 0;
  private isWritingHeader = false;

  private constructor(
    private readonly path: string,
    private readonly file: JournalHandle,
    private readonly header: string,
  ) {}

  /**
   * Opens a file and appends the header.
   * @throws whatever the file system reports
   */
  static async open(path: string, header: string, openFile: OpenJournal = openPrivate): Promise<JournalPart> {
    const startsLine = await endsWithLine(path);
    const file = await openFile(path);
    const part = new JournalPart(path, file, header);
    try {
      part.size = (await file.stat()).size;
      await part.writeHeader(startsLine);
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    return part;
  }

  /** Bytes written to it by this process. */
  get bytes(): number {
    return this.written;
  }

  /**
   * Appends lines.
   * @param progress called before each write and after the last with the blocks that are left; returns whether to continue
   * @throws whatever the file system reports; the file then ends with a whole line if possible
   */
  async append(blocks: readonly Buffer[], progress: (rest: readonly Buffer[]) => boolean): Promise<void> {
    const stats = await this.file.stat();
    // Writes to a deleted file succeed, but they are lost.
    if (stats.nlink === 0 || (isWindows && !(await this.hasName()))) throw new WordsError(t('its file was deleted'));
    const isTruncated = stats.isFile() && stats.size < this.size;
    this.size = stats.size;
    if (isTruncated) await this.writeHeader(stats.size === 0);
    await this.writeAll(blocks, progress);
  }

  /** Appends lines synchronously before the process exits, except for those that are being written already. */
  appendNow(blocks: readonly Buffer[]): void {
    if (this.finishesInFlight()) appendNow(this.file.fd, behind(blocks, this.isWritingHeader ? 0 : this.inFlight));
  }

  /** Shows readers that the writer is alive. */
  async touch(): Promise<void> {
    const now = new Date();
    await this.file.utimes(now, now).catch(() => undefined); // A device has no times.
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** On Windows, a file that is deleted while it is open keeps its links. */
  private hasName(): Promise<boolean> {
    const isThere = (error: unknown): boolean => {
      const { code } = error as NodeJS.ErrnoException;
      return code !== 'ENOENT' && code !== 'EPERM'; // EPERM: it is deleted once it is closed.
    };
    return stat(this.path).then(() => true, isThere);
  }

  private async writeHeader(startsLine: boolean): Promise<void> {
    this.isWritingHeader = true;
    try {
      await this.writeAll([Buffer.from(`${startsLine ? '' : '\n'}${this.header}\n`)], () => true);
    } finally {
      this.isWritingHeader = false;
    }
  }

  private async writeAll(blocks: readonly Buffer[], progress: (rest: readonly Buffer[]) => boolean): Promise<void> {
    let rest = blocks;
    let written = 0;
    try {
      while (progress(rest) && rest.length > 0) {
        const now = rest.slice(0, maxAtOnce);
        this.inFlight = bytesOf(now);
        const { bytesWritten } = await this.file.writev(now);
        if (bytesWritten === 0) throw new WordsError(t('the disk is full'));
        this.size += bytesWritten;
        this.written += bytesWritten;
        written += bytesWritten;
        rest = behind(rest, bytesWritten);
      }
    } finally {
      this.inFlight = 0;
      if (rest.length > 0) await this.cutHalfLine(written - wholeLines(blocks, written));
    }
  }

  /** Removes a half line, which a full disk leaves behind. */
  private async cutHalfLine(bytes: number): Promise<void> {
    if (bytes === 0) return;
    try {
      const stats = await this.file.stat();
      // Never cut what another process has appended.
      if (stats.isFile() && stats.size === this.size) await this.file.truncate(this.size - bytes);
    } catch {
      // Readers skip a half line.
    }
  }

  /** Waits for the write in progress without the event loop. Returns false if the disk hangs. */
  private finishesInFlight(): boolean {
    if (this.inFlight === 0) return true;
    for (const until = performance.now() + exitTimeout; performance.now() < until;) {
      const stats = fstatSync(this.file.fd);
      if (!stats.isFile() || stats.size >= this.size + this.inFlight) return true;
    }
    return false;
  }
}

/** Appends to an open file synchronously. */
export function appendNow(fd: number, blocks: readonly Buffer[]): void {
  for (let rest = blocks; rest.length > 0;) {
    const bytes = writevSync(fd, rest.slice(0, maxAtOnce));
    if (bytes === 0) return;
    rest = behind(rest, bytes);
  }
}

/** How many lines end in these blocks. */
export function linesIn(blocks: readonly Buffer[]): number {
  let lines = 0;
  for (const block of blocks) {
    for (let at = block.indexOf(lineFeed); at >= 0; at = block.indexOf(lineFeed, at + 1)) lines++;
  }
  return lines;
}

function bytesOf(blocks: readonly Buffer[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0);
}

/** The blocks without their first bytes. */
function behind(blocks: readonly Buffer[], bytes: number): readonly Buffer[] {
  let at = 0;
  for (const [index, block] of blocks.entries()) {
    if (at + block.length > bytes) return [block.subarray(bytes - at), ...blocks.slice(index + 1)];
    at += block.length;
  }
  return [];
}

/** How many of the first `bytes` bytes belong to whole lines. */
function wholeLines(blocks: readonly Buffer[], bytes: number): number {
  let at = 0;
  let end = 0;
  for (const block of blocks) {
    const last = block.subarray(0, Math.max(0, bytes - at)).lastIndexOf(lineFeed);
    if (last >= 0) end = at + last + 1;
    at += block.length;
  }
  return end;
}

/** Whether text appended to this file starts a new line: it ends with a line feed, or is empty, missing, unreadable or not a regular file. */
async function endsWithLine(path: string): Promise<boolean> {
  try {
    const known = await stat(path);
    if (!known.isFile() || known.size === 0) return true;
    const file = await open(path, 'r');
    try {
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, known.size - 1);
      return buffer[0] === lineFeed;
    } finally {
      await file.close();
    }
  } catch {
    return true;
  }
}

/** The same synchronously, for a process that is about to exit. */
export function endsWithLineNow(path: string): boolean {
  try {
    const known = statSync(path);
    return !known.isFile() || known.size === 0 || byteAt(path, known.size - 1) === lineFeed;
  } catch {
    return true;
  }
}

function byteAt(path: string, position: number): number | undefined {
  const file = openSync(path, 'r');
  try {
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, position);
    return byte[0];
  } finally {
    closeSync(file);
  }
}
