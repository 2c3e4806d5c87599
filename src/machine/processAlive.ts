import { readdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { ProcessStarts } from './processStarts';

/** Tolerance for start times of processes, in milliseconds: they are computed from several values, read one after the other. */
const slack = 10_000;

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A process as an agent recorded it. */
export interface SavedProcess {
  readonly pid: number;
  /** When it was recorded, in milliseconds since the epoch. */
  readonly at: number;
  /** The name of its machine, if recorded: homes are shared between machines and containers. */
  readonly host?: string | undefined;
}

/** Whether a process that was recorded still exists. */
export type IsStillAlive = (saved: SavedProcess) => Promise<boolean>;

/** Checks processes that were recorded. PIDs are reused: a process that began later is another one. */
export function stillAlive(starts = new ProcessStarts(), ownHost = hostname()): IsStillAlive {
  return async ({ pid, at, host }) => {
    if (host !== undefined && hostName(host) !== hostName(ownHost)) return false;
    return isAlive(pid) && !beganAfter(await starts.of(pid), at);
  };
}

/** Without the domain, which changes with the network. */
function hostName(host: string): string {
  return host.toLowerCase().split('.')[0] ?? '';
}

/** Whether a process that started at `start` is certainly not the one that was recorded at `time`; both in milliseconds since the epoch. */
export function beganAfter(start: number | undefined, time: number): boolean {
  return start !== undefined && start > time + slack;
}

/** Whether a process has a file open (Linux). `false` for a process of another user, which doesn't write our files anyway. */
export async function hasOpen(pid: number, path: string): Promise<boolean> {
  try {
    const { dev, ino } = await stat(path);
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder)) {
      const open = await stat(`${folder}/${name}`).catch(() => undefined);
      if (open?.ino === ino && open.dev === dev) return true;
    }
    return false;
  } catch {
    return false;
  }
}
