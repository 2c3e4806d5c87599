import type { FSWatcher, Stats } from 'node:fs';
import { watch } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';

/**
 * Pauses between looks at a file, in milliseconds. Most changes are reported by the system, but not those of network folders, nor that another
 * file has taken the name: so it is looked at again soon after a change, and then less and less often.
 */
const shortestPause = 250;
const longestPause = 10_000;
/** If the system reports nothing at all: it has no watcher left, or none for this file. */
const longestUnwatched = 1000;
/** Little enough to be worked on in a few milliseconds. */
const chunkBytes = 64 * 1024;

/** What a file's name says about it. */
export type FileStats = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs'>;

/** A file that may grow, be cut, or be replaced by another of its name. */
export class FileSource {
  private readonly buffer = Buffer.alloc(chunkBytes);
  private offset = 0;
  private pause = shortestPause;
  private watcher: FSWatcher | undefined;
  private changed: (() => void) | undefined;
  private hasChanged = false;

  private constructor(
    readonly path: string,
    private file: OpenFile,
    /** At the last look; `undefined` if no file has the name. */
    private last: FileStats | undefined,
    private readonly look: (path: string) => Promise<FileStats>,
  ) {}

  /**
   * @param look tells which file has a name now
   * @throws if it cannot be opened
   */
  static async open(path: string, look: (path: string) => Promise<FileStats> = stat): Promise<FileSource> {
    const file = await openFile(path, look);
    return new FileSource(path, file, file.stats, look);
  }

  /** When it was last written at the last look, in milliseconds since the epoch. */
  get modifiedAt(): number {
    return this.last?.mtimeMs ?? this.file.stats.mtimeMs;
  }

  /** The next bytes; `undefined` at the end, for now. */
  async read(): Promise<Buffer | undefined> {
    const { bytesRead } = await this.file.handle.read(this.buffer, 0, chunkBytes, this.offset);
    this.offset += bytesRead;
    return bytesRead === 0 ? undefined : Buffer.from(this.buffer.subarray(0, bytesRead));
  }

  /**
   * Waits until there may be more, or the signal.
   * @returns whether there is more, and whether that is the beginning of a file: this one was cut, or is another one now
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

  /** Settles when the system reports a change, after a pause, or at the signal. */
  private change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', settle);
        this.changed = undefined;
        this.hasChanged = false;
        resolve();
      };
      // The timers of all files are due together: one wake-up for all of them.
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

  /** The rest of the old one comes first. */
  private async reopen(oldSize: number): Promise<'unchanged' | 'grown' | 'restarted'> {
    if (oldSize > this.offset) return 'grown';
    const next = await openFile(this.path, this.look).catch(() => undefined);
    if (!next) return 'unchanged'; // it is not there yet, or not for us
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
      // Without it, the file is looked at more often.
      return watcher.on('error', () => {
        if (this.watcher === watcher) this.watcher = undefined;
        watcher.close();
      });
    } catch {
      return undefined;
    }
  }
}

interface OpenFile {
  readonly handle: FileHandle;
  /** By its name, because later calls ask by name: a handle may report another `dev` (libuv 1.49 and 1.50 on Windows). */
  readonly stats: FileStats;
}

async function openFile(path: string, look: (path: string) => Promise<FileStats>): Promise<OpenFile> {
  const stats = await look(path); // before it is opened: one that takes its place meanwhile is read twice rather than never
  return { handle: await open(path, 'r'), stats };
}

function isSameFile(one: FileStats, other: FileStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
