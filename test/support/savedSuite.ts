import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileRun } from '../../src/past/files/fileRun';
import type { FileRunInfo } from '../../src/past/files/fileRunInfo';
import type { SavedFs } from '../../src/past/saved/list/savedFs';
import { nodeFs } from '../../src/past/saved/list/savedFs';
import type { SavedSessionsOptions } from '../../src/past/saved/list/savedSessions';
import { SavedSessions } from '../../src/past/saved/list/savedSessions';
import { linesText } from './journalText';
import { makeSavedHome, savedHomeOptions } from './savedHome';
import type { TempFolder } from './tempFolder';
import { useFolder } from './tempFolder';

export interface SavedSuite extends TempFolder {
  readonly sessions: (options?: Partial<SavedSessionsOptions>) => SavedSessions;
  /** Reads a session. It's followed until the test ends. */
  readonly opened: (info: FileRunInfo | undefined) => Promise<FileRun>;
  /** Writes a text, or a line of JSON for each object, and returns the path. @param at when it changed, in milliseconds */
  readonly write: (name: string, content: string | readonly object[], at?: number) => string;
}

/** A home folder for each test of the current suite: empty, or filled by each agent. */
export function useSavedHome(how: 'empty' | 'filled' = 'empty'): SavedSuite {
  const runs: FileRun[] = [];
  afterEach(() => Promise.all(runs.splice(0).map((run) => run.dispose())));
  const folder = useFolder();
  if (how === 'filled') beforeEach(() => makeSavedHome(folder.path));
  return {
    get path() {
      return folder.path;
    },
    in: folder.in,
    sessions: (options = {}) => new SavedSessions({ ...savedHomeOptions(folder.path), ...options }),
    async opened(info) {
      if (!info) throw new Error('There is no such session.');
      const run = new FileRun(info, { level: 'debug', maxMemory: 1e8, redaction: undefined });
      runs.push(run);
      await run.read();
      return run;
    },
    write(name, content, at) {
      const path = folder.in(name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === 'string' ? content : linesText(...content));
      if (at !== undefined) utimesSync(path, at / 1000, at / 1000);
      return path;
    },
  };
}

/** The file system, with what was read of it: the length asked for, and the bytes. */
export function notedFs(): { readonly fs: SavedFs; readonly reads: readonly NotedRead[] } {
  const reads: NotedRead[] = [];
  const read: SavedFs['read'] = async (path, from, length) => {
    const bytes = await nodeFs.read(path, from, length);
    reads.push({ path, length, bytes: bytes.length });
    return bytes;
  };
  return { fs: { ...nodeFs, read }, reads };
}

interface NotedRead {
  readonly path: string;
  readonly length: number;
  readonly bytes: number;
}
