import type { FSWatcher } from 'node:fs';
import { watch } from 'node:fs';
import { dirname } from 'node:path';

/** Reports changes in a folder, with the name of what has changed, if the system says it. @throws if it can't be watched */
export type WatchFolder = (folder: string, onChange: (name: string | null) => void) => Pick<FSWatcher, 'on' | 'close'>;

const watchFolder: WatchFolder = (folder, onChange) =>
  watch(folder, { persistent: false }, (_event, name) => onChange(name));

/** Watches a set of folders. Those that can't be watched are left out. */
export class WatchedFolders {
  private readonly watchers = new Map<string, ReturnType<WatchFolder>>();

  constructor(
    private readonly onChange: (folder: string, name: string | null) => void,
    private readonly watch: WatchFolder = watchFolder,
  ) {}

  has(folder: string): boolean {
    return this.watchers.has(folder);
  }

  /** Watches these folders, and no others. */
  use(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const folder of folders) this.add(folder);
  }

  add(folder: string): void {
    if (this.watchers.has(folder)) return;
    try {
      const watcher = this.watch(folder, (name) => this.onChange(folder, name));
      // The next look watches the folder again, if it still exists.
      watcher.on('error', () => {
        if (this.watchers.get(folder) === watcher) this.watchers.delete(folder);
        watcher.close();
      });
      this.watchers.set(folder, watcher);
    } catch {
      // It is looked at from time to time.
    }
  }

  dispose(): void {
    this.use(new Set());
  }
}

/** The folders of files, and those around them. @param levels 2: also their parents */
export function foldersOf(files: readonly { readonly path: string }[], levels: number, max: number): Set<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let folder = dirname(path), level = 0; level < levels; folder = dirname(folder), level++) {
      if (folders.size < max) folders.add(folder);
    }
    if (folders.size >= max) break;
  }
  return folders;
}
