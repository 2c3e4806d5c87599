import { readdirSync, readFileSync, statSync } from 'node:fs';

/** A process may seem to have begun so much later than it did, in milliseconds: the parts of its time are taken one after the other. */
const slack = 10_000;
/** What Linux counts time in, in milliseconds: USER_HZ is 100 wherever Node runs. */
const tick = 10;

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether the process that began a journal is still there: how one whose tap or window was killed is told from one that is being written. Ids
 * are given again, in a container the same ones at each start. A process that began after the journal is another one, unless it has the
 * file open: then it was the clock that was set, as after a laptop slept. Only Linux tells when one began; elsewhere any counts that has the id.
 * @param startedAt when the journal began, in milliseconds since the epoch; `NaN` where that is not known
 */
export function isWriting(pid: number, startedAt: number, path: string): boolean {
  return isAlive(pid) && (!beganAfter(pid, startedAt + slack) || hasOpen(pid, path));
}

/** By our own beginning, which is known by the clock as well: the time of boot is not that of a container, or of a clock that was set. */
function beganAfter(pid: number, time: number): boolean {
  if (process.platform !== 'linux') return false;
  const [own, other] = [ticksOf(process.pid), ticksOf(pid)];
  if (own === undefined || other === undefined) return false;
  return Date.now() - process.uptime() * 1000 + (other - own) * tick > time;
}

/** When a process began, in ticks since boot: field 22 of its `stat`, where the second, its name, may have spaces and parentheses (proc(5)). */
function ticksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    return Number.isFinite(ticks) ? ticks : undefined;
  } catch {
    return undefined;
  }
}

/** A process of another user does not tell: whoever writes our journals does. */
function hasOpen(pid: number, path: string): boolean {
  try {
    const { dev, ino } = statSync(path);
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((name) => {
      const open = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
      return open?.ino === ino && open.dev === dev;
    });
  } catch {
    return false;
  }
}
