import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const extension = '.ndjson';

export interface Retention {
  /** In bytes, of all journals together. */
  readonly maxTotalSize: number;
  /** In milliseconds. */
  readonly maxAge: number;
}

/** The folder of the journals. */
export class JournalFolder {
  constructor(readonly path: string) {}

  /** Names the parts of a run's journal: readable, in order of time, and unlike those of any other run. */
  fileOf(agent: string, runId: string, startedAt: number): (part: number) => string {
    const time = new Date(startedAt).toISOString().replace(/[:.]/g, '-');
    const name = agent.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60) || 'agent';
    return (part) => join(this.path, `${time} ${name} ${runId.slice(0, 8)}${part === 1 ? '' : ` ${part}`}${extension}`);
  }

  /**
   * Deletes what is too old, and the oldest of what is too much.
   * @param inUse files that are being written
   * @returns how many files were deleted
   */
  async prune({ maxTotalSize, maxAge }: Retention, now: number, inUse: ReadonlySet<string>): Promise<number> {
    const files = await this.newestFirst();
    let total = 0;
    let deleted = 0;
    for (const { path, size, modifiedAt } of files) {
      total += size;
      if (inUse.has(path) || (total <= maxTotalSize && now - modifiedAt <= maxAge)) continue;
      await rm(path, { force: true }).catch(() => undefined); // another window may have it
      deleted++;
    }
    return deleted;
  }

  private async newestFirst(): Promise<{ path: string; size: number; modifiedAt: number }[]> {
    const names = await readdir(this.path).catch(() => []); // no folder yet: nothing to delete
    const files = await Promise.all(
      names
        .filter((name) => name.endsWith(extension))
        .map(async (name) => {
          const path = join(this.path, name);
          const found = await stat(path).catch(() => undefined);
          return found?.isFile() ? [{ path, size: found.size, modifiedAt: found.mtimeMs }] : [];
        }),
    );
    return files.flat().sort((a, b) => b.modifiedAt - a.modifiedAt);
  }
}
