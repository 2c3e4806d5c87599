import type { FSWatcher, Stats } from 'node:fs';
import { watch } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';

/**
 * Pauses between checks of a file, in milliseconds. The system reports most changes, but not those in network folders, nor that another file has
 * taken the name. So the file is checked again soon after a change, and then less and less often.
 */
const shortestPause = 250;
const longestPause = 10_000;
/** Longest pause if the file can't be watched. */
const longestUnwatched = 1000;
/** Takes a few milliseconds to process. Smaller chunks spend more time waiting for the thread that reads them. */
const chunkBytes = 256 * 1024;
/** The first chunk: its lines are shown before the next one is read. */
const firstBytes = 64 * 1024;

/** Identity, size and age of the file with a given name. */
export type FileStats = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs'>;

/** Reads a file that may grow, be truncated, or be replaced by another with the same name. */
export class FileSource {
  /** The bytes at `offset`, if they were full chunks so far: read while the caller handles those before. */
  private ahead: Promise<Buffer> | undefined;
  private offset = 0;
  private pause = shortestPause;
  private watcher: FSWatcher | undefined;
  private changed: (() => void) | undefined;
  private hasChanged = false;

  private constructor(
    readonly path: string,
    private file: OpenFile,
    /** At the last check; `undefined` if there was no file. */
    private last: FileStats | undefined,
    private readonly look: (path: string) => Promise<FileStats>,
  ) {}

  /**
   * @param look returns the stats of the file that has this name now
   * @throws if the file can't be opened
   */
  static async open(path: string, look: (path: string) => Promise<FileStats> = stat): Promise<FileSource> {
    const file = await openFile(path, look);
    return new FileSource(path, file, file.stats, look);
  }

  /** When it was last written, as of the last check, in milliseconds since the epoch. */
  get modifiedAt(): number {
    return this.last?.mtimeMs ?? this.file.stats.mtimeMs;
  }

  /** The next bytes; `undefined` at the current end. */
  async read(): Promise<Buffer | undefined> {
    const { offset, ahead } = this;
    this.ahead = undefined; // If it failed, the next call tries again.
    const bytes = await (ahead ?? this.readChunk());
    this.offset += bytes.length;
    if (bytes.length === sizeAt(offset)) {
      this.ahead = this.readChunk();
      this.ahead.catch(() => undefined);
    }
    return bytes.length === 0 ? undefined : bytes;
  }

  private async readChunk(): Promise<Buffer> {
    const size = sizeAt(this.offset);
    const buffer = Buffer.allocUnsafeSlow(size);
    const { bytesRead } = await this.file.handle.read(buffer, 0, size, this.offset);
    // The rest of a file must not keep a whole chunk.
    return bytesRead === size ? buffer : Buffer.from(buffer.subarray(0, bytesRead));
  }

  /**
   * Waits until the file may have changed, or the signal is aborted.
   * @returns `restarted` if reading goes on at the beginning of a file, because this one was truncated or replaced
   */
  async wait(signal?: AbortSignal): Promise<'unchanged' | 'grown' | 'restarted'> {
    this.watcher ??= this.watch();
    await this.change(signal);
    const now = await this.look(this.path).catch(() => undefined);
    this.adapt(now);
    const isSame = now && isSameFile(now, this.file.stats);
    const size = isSame ? now.size : (await this.file.handle.stat()).size;
    if (now && !isSame) return this.reopen(size);
    if (size === this.offset) return 'unchanged';
    if (size > this.offset) return 'grown';
    this.offset = 0;
    return 'restarted';
  }

  async close(): Promise<void> {
    this.watcher?.close();
    await this.file.handle.close();
  }

  /** Resolves when the system reports a change, after a pause, or on abort. */
  private change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', settle);
        this.changed = undefined;
        this.hasChanged = false;
        resolve();
      };
      // The timers of all files fire together, so that the process wakes up once.
      const timer = setTimeout(settle, this.hasChanged ? 0 : this.pause - (Date.now() % this.pause));
      this.changed = settle;
      signal?.addEventListener('abort', settle);
      if (signal?.aborted === true) settle();
    });
  }

  private adapt(now: FileStats | undefined): void {
    const isUnchanged = now?.size === this.last?.size && now?.ino === this.last?.ino;
    const longest = this.watcher ? longestPause : longestUnwatched;
    this.pause = isUnchanged ? Math.min(2 * this.pause, longest) : shortestPause;
    this.last = now;
  }

  /** Switches to the new file, once the rest of the old one has been read. */
  private async reopen(oldSize: number): Promise<'unchanged' | 'grown' | 'restarted'> {
    if (oldSize > this.offset) return 'grown';
    const next = await openFile(this.path, this.look).catch(() => undefined);
    if (!next) return 'unchanged'; // missing, or unreadable
    await this.file.handle.close();
    this.file = next;
    this.last = next.stats;
    this.pause = shortestPause;
    this.offset = 0;
    this.watcher?.close();
    this.watcher = undefined;
    return 'restarted';
  }

  private watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.path, { persistent: false }, () => {
        this.hasChanged = true;
        this.changed?.();
      });
      // Without a watcher, the file is checked more often.
      return watcher.on('error', () => {
        if (this.watcher === watcher) this.watcher = undefined;
        watcher.close();
      });
    } catch {
      return undefined;
    }
  }
}

function sizeAt(offset: number): number {
  return offset === 0 ? firstBytes : chunkBytes;
}

interface OpenFile {
  readonly handle: FileHandle;
  /** By name, to compare with later ones: a handle may report another `dev` (libuv 1.49 and 1.50 on Windows). */
  readonly stats: FileStats;
}

async function openFile(path: string, look: (path: string) => Promise<FileStats>): Promise<OpenFile> {
  // Before opening: a file that replaces it in between is then read twice rather than never.
  const stats = await look(path);
  return { handle: await open(path, 'r'), stats };
}

function isSameFile(one: FileStats, other: FileStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
