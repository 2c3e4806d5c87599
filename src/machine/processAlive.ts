import { readdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { JournalHeader } from '../wire/journal/journalLine';
import { ProcessStarts } from './processStarts';

/** How often a writer touches its journal, in seconds. */
export const beatSeconds = 60;
/** A writer that misses this many beats is considered gone. */
const missedBeats = 3;
/** Tolerance for start times of processes, in milliseconds: they are computed from several values, read one after the other. */
const slack = 10_000;

/** A file of a journal. */
export interface JournalFile {
  readonly path: string;
  /** In milliseconds since the epoch. */
  readonly modifiedAt: number;
}

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

/** The process that writes a journal, if its header has one. */
export function writerOf({ tap, host }: JournalHeader): { readonly pid: number; readonly beat?: number } | undefined {
  return tap ?? host;
}

/** Whether the writer has touched its journal recently. `undefined` for writers that don't do that. */
export function hasBeat(header: JournalHeader, { modifiedAt }: JournalFile): boolean | undefined {
  const beat = writerOf(header)?.beat;
  return beat === undefined ? undefined : Date.now() - modifiedAt <= missedBeats * beat * 1000;
}

/**
 * Whether the process that started a journal is still running. PIDs are reused, in containers even the same ones after each start. On Linux, a
 * process that started after the journal or misses its beats is a different one, perhaps of another machine, unless it has the file open (then
 * the clock was changed, or it was suspended). Elsewhere the journal's last beat decides: if the PID is reused at once, the journal counts as
 * being written for three more minutes, and a writer that was suspended for longer counts as gone until its next beat.
 */
export async function isBeingWritten(
  header: JournalHeader,
  file: JournalFile,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const writer = writerOf(header);
  if (!writer || !isAlive(writer.pid)) return false;
  if (platform !== 'linux') return hasBeat(header, file) ?? true;
  const start = await new ProcessStarts(platform).of(writer.pid);
  const isOther = beganAfter(start, Date.parse(header.startedAt)) || hasBeat(header, file) === false;
  return !isOther || hasOpen(writer.pid, file.path);
}

function beganAfter(start: number | undefined, time: number): boolean {
  return start !== undefined && start > time + slack;
}

/** `false` for a process of another user, which doesn't write our journals anyway. */
async function hasOpen(pid: number, path: string): Promise<boolean> {
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
