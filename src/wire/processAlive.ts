import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { JournalHeader } from './journal/journalLine';

/** How often a writer touches its journal, in seconds. */
export const beatSeconds = 60;
/** A writer that misses this many beats is considered gone. */
const missedBeats = 3;
/** Tolerance for start times of processes, in milliseconds: they are computed from several values, read one after the other. */
const slack = 10_000;
/** Milliseconds per clock tick on Linux: USER_HZ is 100 wherever Node runs. */
const tick = 10;

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

/**
 * Whether a process still exists that had this PID at this time, in milliseconds since the epoch. On Windows, a reused PID isn't detected.
 */
export async function isStillAlive(
  pid: number,
  at: number,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (platform === 'win32') return true;
  return platform === 'linux' ? !(await beganAfter(pid, at + slack)) : !(await psBeganAfter(pid, at + slack));
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
 * process that started after the journal is a different one, unless it has the file open (then the clock was changed). Elsewhere the journal's
 * last beat decides: if the PID is reused at once, the journal counts as being written for three more minutes, and a writer that was suspended
 * for longer counts as gone until its next beat. Processes on other machines or in other containers can't be detected.
 */
export async function isBeingWritten(
  header: JournalHeader,
  file: JournalFile,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const writer = writerOf(header);
  if (!writer || !isAlive(writer.pid)) return false;
  if (platform !== 'linux') return hasBeat(header, file) ?? true;
  const startedAt = Date.parse(header.startedAt);
  return !(await beganAfter(writer.pid, startedAt + slack)) || hasOpen(writer.pid, file.path);
}

/** Compares with our own start time, because the boot time is wrong in a container and after the clock was changed. */
async function beganAfter(pid: number, time: number): Promise<boolean> {
  const [own, other] = await Promise.all([ticksOf(process.pid), ticksOf(pid)]);
  if (own === undefined || other === undefined) return false;
  return Date.now() - process.uptime() * 1000 + (other - own) * tick > time;
}

/** Asks `ps`, on systems without /proc. Unlike `lstart`, the elapsed time doesn't depend on the locale. */
async function psBeganAfter(pid: number, time: number): Promise<boolean> {
  const output = await new Promise<string>((resolve) => {
    execFile('/bin/ps', ['-o', 'etime=', '-p', String(pid)], (error, stdout) => resolve(error ? '' : stdout));
  });
  const elapsed = elapsedSeconds(output);
  return elapsed !== undefined && Date.now() - elapsed * 1000 > time;
}

/** The seconds in `[[DD-]hh:]mm:ss` (POSIX, ps). */
export function elapsedSeconds(text: string): number | undefined {
  const [, days = 0, hours = 0, minutes, seconds] = /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/.exec(text) ?? [];
  if (minutes === undefined) return undefined;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** Start time of a process in ticks since boot: field 22 of its `stat`. Field 2, the name, may contain spaces and parentheses (proc(5)). */
async function ticksOf(pid: number): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    return Number.isFinite(ticks) ? ticks : undefined;
  } catch {
    return undefined;
  }
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
