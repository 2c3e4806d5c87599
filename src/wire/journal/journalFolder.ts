import { t, WordsError } from '../../text/translator';

import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JournalFile } from './beingWritten';
import { isBeingWritten, writerOf } from './beingWritten';

const extension = '.ndjson';

export interface Retention {
  /** In bytes, of all journals together. */
  readonly maxTotalSize: number;
  /** In milliseconds. */
  readonly maxAge: number;
}

/** The files of one run's journal, oldest first. */
export interface JournalSet {
  readonly paths: readonly string[];
  /** In bytes, of all of them. */
  readonly size: number;
  /** When the newest was last written, in milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Names made by `fileOf`: the run, and the number of a part after the first. Other files in the folder belong to the user. */
const partName = /^(\d{4}-\d\d-\d\dT[\d-]+Z [^ ]+ [^ ]{1,8})(?: (\d+))?\.ndjson$/;

/** Whether a journal is that of a run, by the end of its name, which is the beginning of the run's ID. */
export function isNamed({ paths: [path = ''] }: JournalSet, id: string): boolean {
  return /^[\w-]{6,}$/.test(id) && basename(path, extension).endsWith(id);
}

/** Whether a tap or another window is writing a journal. */
async function isWrittenElsewhere(file: JournalFile): Promise<boolean> {
  // An update of the extension may have removed the code. Then nothing is deleted.
  const peek = await import('./journalPeek').catch(() => undefined);
  if (!peek) return true;
  const { header, last } = await peek.peekJournal(file.path).catch(() => ({ header: undefined, last: [] }));
  const isOver = last.some((event) => event.dir === 'ev' && (event.ev === 'exit' || event.ev === 'end'));
  if (!header || isOver || writerOf(header)?.pid === process.pid) return false;
  return isBeingWritten(header, file);
}

/** The folder of the journals. */
export class JournalFolder {
  constructor(readonly path: string) {}

  /** Returns the paths of the parts of a run's journal. Their names are readable, unique, and sort by time. */
  fileOf(agent: string, runId: string, startedAt: number): (part: number) => string {
    const time = new Date(startedAt).toISOString().replace(/[:.]/g, '-');
    const name = agent.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60) || 'agent';
    return (part) => join(this.path, `${time} ${name} ${runId.slice(0, 8)}${part === 1 ? '' : ` ${part}`}${extension}`);
  }

  /** All journals, newest first. */
  async list(): Promise<readonly JournalSet[]> {
    const sets = new Map<string, { part: number; path: string; size: number; modifiedAt: number }[]>();
    for (const file of await this.newestFirst()) {
      const [, run, part = '1'] = partName.exec(basename(file.path)) ?? [];
      if (run === undefined) continue;
      const parts = sets.get(run) ?? [];
      parts.push({ part: Number(part), ...file });
      sets.set(run, parts);
    }
    return [...sets.values()].map((parts) => ({
      paths: parts.sort((a, b) => a.part - b.part).map(({ path }) => path),
      size: parts.reduce((sum, { size }) => sum + size, 0),
      modifiedAt: Math.max(...parts.map(({ modifiedAt }) => modifiedAt)),
    }));
  }

  /**
   * The journal that a file is part of. A file with any other name is a journal by itself.
   * @throws if it is missing or not a regular file: opening a pipe could block forever, and a device has no end
   */
  async setOf(path: string): Promise<JournalSet> {
    const own = dirname(path) === this.path ? await this.list() : [];
    const set = own.find(({ paths }) => paths.includes(path));
    if (set) return set;
    const found = await stat(path);
    if (found.isDirectory()) throw new WordsError(t('it is a folder. Name one of the files in it.'));
    if (!found.isFile()) throw new WordsError(t("it isn't a file. Save what comes from it to one first."));
    return { paths: [path], size: found.size, modifiedAt: found.mtimeMs };
  }

  /**
   * Deletes journals that are too old, and the oldest ones if the total size is too large.
   * @param inUse files that are being written
   * @returns the number of deleted files
   */
  async prune({ maxTotalSize, maxAge }: Retention, now: number, inUse: ReadonlySet<string>): Promise<number> {
    const files = await this.newestFirst();
    let total = 0;
    let deleted = 0;
    for (const { path, size, modifiedAt } of files) {
      total += size;
      if (inUse.has(path) || (total <= maxTotalSize && now - modifiedAt <= maxAge)) continue;
      if (await isWrittenElsewhere({ path, modifiedAt })) continue;
      await rm(path, { force: true }).catch(() => undefined); // Another window may have it open.
      deleted++;
    }
    return deleted;
  }

  private async newestFirst(): Promise<{ path: string; size: number; modifiedAt: number }[]> {
    const names = await readdir(this.path).catch(() => []); // There may be no folder yet.
    const files = await Promise.all(
      names
        .filter((name) => partName.test(name))
        .map(async (name) => {
          const path = join(this.path, name);
          const found = await stat(path).catch(() => undefined);
          return found?.isFile() ? [{ path, size: found.size, modifiedAt: found.mtimeMs }] : [];
        }),
    );
    return files.flat().sort((a, b) => b.modifiedAt - a.modifiedAt);
  }
}
