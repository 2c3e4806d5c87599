import type { WatchFolder } from './watchedFolders';
import { foldersOf, WatchedFolders } from './watchedFolders';

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

/** Reports when files appear, grow or disappear. */
export class SavedWatch {
  private readonly folders: WatchedFolders;
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
    watch?: WatchFolder,
  ) {
    this.folders = new WatchedFolders(() => this.changed(), watch);
    void this.check();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    this.folders.dispose();
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
    this.folders.use(foldersOf(files, 2, maxFolders));
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
}
