import type { FSWatcher } from 'node:fs';
import { watch } from 'node:fs';
import { dirname } from 'node:path';

export interface WatchedFile {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Maximum number of watched folders: those of the newest files, and their parents. */
const maxFolders = 64;
/** Debounce time for changes, in milliseconds. */
const settleTime = 300;
/** Polling interval, in milliseconds, because the system doesn't report all changes. */
const pause = 10_000;
/** Looking takes at most this fraction of the time: one in ten. */
const share = 10;

/** Reports changes in a folder. @throws if it can't be watched */
type WatchFolder = (folder: string, onChange: () => void) => Pick<FSWatcher, 'on' | 'close'>;

const watchFolder: WatchFolder = (folder, onChange) => watch(folder, { persistent: false }, onChange);

/** Reports when files appear, grow or disappear. */
export class SavedWatch {
  private readonly watchers = new Map<string, ReturnType<WatchFolder>>();
  private timer: NodeJS.Timeout | undefined;
  private signature: string | undefined;
  /** How long the last look took, in milliseconds: seconds for 100,000 files. */
  private took = 0;
  private isDisposed = false;
  private isSettling = false;

  /** @param look lists the existing files, newest first */
  constructor(
    private readonly look: () => Promise<readonly WatchedFile[]>,
    private readonly onChange: () => void,
    private readonly watch: WatchFolder = watchFolder,
  ) {
    void this.check();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private async check(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isSettling = false;
    const begun = Date.now();
    const files = await this.look().catch(() => []);
    this.took = Date.now() - begun;
    if (this.isDisposed) return;
    const signature = `${files.length} ${files
      .slice(0, maxFolders)
      .map(({ path, size, modifiedAt }) => `${path} ${size} ${modifiedAt}`)
      .join('\n')}`;
    if (this.signature !== undefined && signature !== this.signature) this.onChange();
    this.signature = signature;
    this.watchFolders(files);
    this.later(Math.max(pause, this.took * share));
  }

  /** Further changes don't postpone the check, so that a constantly growing file is reported too. */
  private changed(): void {
    if (this.isSettling || this.isDisposed) return;
    this.isSettling = true;
    this.later(Math.max(settleTime, this.took * share));
  }

  private later(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), ms);
    this.timer.unref();
  }

  private watchFolders(files: readonly WatchedFile[]): void {
    const folders = new Set<string>();
    for (const { path } of files) {
      for (const folder of [dirname(path), dirname(dirname(path))]) if (folders.size < maxFolders) folders.add(folder);
      if (folders.size >= maxFolders) break;
    }
    for (const [folder, watcher] of this.watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const folder of folders) if (!this.watchers.has(folder)) this.watchFolder(folder);
  }

  private watchFolder(folder: string): void {
    try {
      const watcher = this.watch(folder, () => this.changed());
      // The next look watches the folder again, if it still exists.
      watcher.on('error', () => {
        if (this.watchers.get(folder) === watcher) this.watchers.delete(folder);
        watcher.close();
      });
      this.watchers.set(folder, watcher);
    } catch {
      // Polling finds changes in this folder.
    }
  }
}
