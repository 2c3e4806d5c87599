import type { FSWatcher, Stats } from 'node:fs';
import { watch } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';

/** How often a file is looked at whose file system does not tell of changes, in milliseconds. */
const pollMs = 250;
/** Little enough to be worked on in a few milliseconds. */
const chunkBytes = 64 * 1024;

/** Which file has a name. */
export type Identity = Pick<Stats, 'dev' | 'ino'>;

/** A file that may grow, be cut, or be replaced by another of its name. */
export class FileSource {
  private readonly buffer = Buffer.alloc(chunkBytes);
  private offset = 0;
  private watcher: FSWatcher | undefined;
  private changed: (() => void) | undefined;

  private constructor(
    readonly path: string,
    private file: OpenFile,
    private readonly identify: (path: string) => Promise<Identity>,
  ) {}

  /**
   * @param identify tells which file has a name now
   * @throws where it cannot be opened
   */
  static async open(path: string, identify: (path: string) => Promise<Identity> = stat): Promise<FileSource> {
    return new FileSource(path, await openFile(path, identify), identify);
  }

  /** The next bytes; `undefined` at the end, for now. */
  async read(): Promise<Buffer | undefined> {
    const { bytesRead } = await this.file.handle.read(this.buffer, 0, chunkBytes, this.offset);
    this.offset += bytesRead;
    return bytesRead === 0 ? undefined : Buffer.from(this.buffer.subarray(0, bytesRead));
  }

  /**
   * Waits until there may be more, or the signal.
   * @returns whether what comes next is the beginning of a file: this one was cut, or is another one now
   */
  async wait(signal?: AbortSignal): Promise<'grown' | 'restarted'> {
    this.watcher ??= this.watch();
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', settle);
        resolve();
      };
      const timer = setTimeout(settle, pollMs);
      this.changed = settle;
      signal?.addEventListener('abort', settle);
    });
    const [now, { size }] = await Promise.all([
      this.identify(this.path).catch(() => undefined),
      this.file.handle.stat(),
    ]);
    if (now && !isSame(now, this.file.identity)) return this.reopen(size);
    if (size >= this.offset) return 'grown';
    this.offset = 0;
    return 'restarted';
  }

  async close(): Promise<void> {
    this.watcher?.close();
    await this.file.handle.close();
  }

  /** The rest of the old one comes first. */
  private async reopen(oldSize: number): Promise<'grown' | 'restarted'> {
    if (oldSize > this.offset) return 'grown';
    const next = await openFile(this.path, this.identify).catch(() => undefined);
    if (!next) return 'grown'; // it is not there yet, or not for us
    await this.file.handle.close();
    this.file = next;
    this.offset = 0;
    this.watcher?.close();
    this.watcher = undefined;
    return 'restarted';
  }

  private watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.path, { persistent: false }, () => this.changed?.());
      return watcher.on('error', () => undefined); // it is looked at all the same
    } catch {
      return undefined;
    }
  }
}

interface OpenFile {
  readonly handle: FileHandle;
  /** By its name, as it is asked for later: what a handle says of itself may differ (libuv 1.49 and 1.50 on Windows have another `dev`). */
  readonly identity: Identity;
}

async function openFile(path: string, identify: (path: string) => Promise<Identity>): Promise<OpenFile> {
  const identity = await identify(path); // before it is opened: one that takes its place meanwhile is read twice rather than never
  return { handle: await open(path, 'r'), identity };
}

function isSame(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
