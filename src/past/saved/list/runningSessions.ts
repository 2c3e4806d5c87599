import { dirname, extname, join } from 'node:path';
import type { SaverId } from '../../../agents/agents';
import { filesFormOf } from '../../../agents/agents';
import type { MarkedState, MarkFields } from '../../../agents/savedForm';
import { objectOf, textOf } from '../../../text/json';
import { jsonValueOf } from '../../../wire/jsonValue';
import type { IsLocked } from '../../../machine/heldLocks';
import type { IsStillAlive, SavedProcess } from '../../../machine/processAlive';
import type { SavedFs } from './savedFs';
import type { SavedFile } from '../savedSession';

/** Maximum number of PID files to read. */
const maxMarks = 500;
const maxMark = 64 * 1024;
/** How to find out whether what an agent left behind is still in use. */
export interface RunningChecks {
  readonly isAlive: IsStillAlive;
  readonly isLocked: IsLocked;
}

/** Maximum number of session folders to look for PID files in, newest first. */
const maxFolders = 50;
/** Maximum number of PID files to look for in each. */
const maxLocks = 10;

/** The process of a running session. */
export interface SessionProcess {
  /** `undefined` if only a lock tells that it runs. */
  readonly pid?: number;
  readonly marked?: MarkedState;
}

/**
 * The sessions whose agents are running, by ID. PID files survive a kill, so the processes are checked.
 */
export async function runningSessions(
  agent: SaverId,
  roots: readonly string[],
  files: readonly SavedFile[],
  fs: SavedFs,
  { isAlive, isLocked }: RunningChecks,
): Promise<ReadonlyMap<string, SessionProcess>> {
  const { marks: form } = filesFormOf(agent);
  if (form?.type === 'locked') {
    const newest = files.slice(0, maxFolders).map(({ id }) => id);
    // One look at their folder: a process removes its file when it ends, so only a few are left.
    const lists = roots.map(async (root) =>
      (await fs.list(root, ...form.names)).map(({ name }) => ({ name, path: join(root, ...form.names, name) })),
    );
    const locks = (await Promise.all(lists)).flat();
    const marked = newest.flatMap((id) =>
      locks.flatMap(({ name, path }) => (name === form.file(id) ? { id, path } : [])),
    );
    const held = await Promise.all(marked.map(({ path }) => isLocked(path)));
    return new Map(marked.flatMap(({ id }, index) => (held[index] === true ? [[id, {}] as const] : [])));
  }
  const marks = await marksOf(agent, roots, files, fs);
  const alive = await Promise.all(marks.map(isAlive));
  return new Map(
    marks
      .filter((_, index) => alive[index])
      .map(({ session, pid, marked }) => [session, { pid, ...(marked && { marked }) }]),
  );
}

interface Mark extends SavedProcess {
  readonly session: string;
  readonly marked?: MarkedState | undefined;
}

async function marksOf(
  agent: SaverId,
  roots: readonly string[],
  files: readonly SavedFile[],
  fs: SavedFs,
): Promise<readonly Mark[]> {
  const { marks } = filesFormOf(agent);
  const newest = files.slice(0, maxFolders);
  switch (marks?.type) {
    case 'folder': {
      const lists = roots.map(async (root) =>
        (await fs.list(root, ...marks.names)).map(({ name }) => ({ name, path: join(root, ...marks.names, name) })),
      );
      const named = (await Promise.all(lists)).flat().filter(({ name }) => marks.file.test(name));
      const paths = named.slice(0, maxMarks).map(({ path }) => path);
      return (await Promise.all(paths.map((path) => markIn(path, marks, fs)))).flat();
    }
    case 'beside': {
      const paths = newest.map(({ path }) => path.slice(0, -extname(path).length) + marks.suffix);
      return (await Promise.all(paths.map((path) => markIn(path, marks, fs)))).flat();
    }
    case 'lock':
      return (await Promise.all(newest.map((file) => locksOf(file, marks.file, fs)))).flat();
    case 'locked':
    case undefined:
      return [];
  }
}

async function locksOf({ id, path }: SavedFile, pattern: RegExp, fs: SavedFs): Promise<readonly Mark[]> {
  const folder = dirname(path);
  const locks = (await fs.list(folder)).filter(({ name }) => pattern.test(name)).slice(0, maxLocks);
  const stats = await Promise.all(locks.map(({ name }) => fs.stat(join(folder, name))));
  return locks.map(({ name }, index) => {
    return { pid: Number(pattern.exec(name)?.[1]), session: id, at: stats[index]?.modifiedAt ?? 0 };
  });
}

async function markIn(path: string, fields: MarkFields, fs: SavedFs): Promise<readonly Mark[]> {
  const stats = await fs.stat(path);
  if (!stats) return [];
  const text = (await fs.read(path, 0, maxMark).catch(() => Buffer.alloc(0))).toString('utf8');
  const mark = objectOf(jsonValueOf(text).msg);
  const session = textOf(mark[fields.session]);
  const host = fields.host === undefined ? undefined : textOf(mark[fields.host]);
  const pid = mark['pid'];
  if (session === undefined || typeof pid !== 'number') return [];
  return [{ pid, session, at: stats.modifiedAt, host, marked: fields.state?.(mark) }];
}
