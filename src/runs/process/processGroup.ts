import { readdir, readFile } from 'node:fs/promises';

/** How many files of /proc are read at a time: each of Node's few threads may have other work. */
const atOnce = 4;

/** The processes of an agent: on POSIX a group, whose id is the PID of its first process. */
export class ProcessGroup {
  /** Processes that ran in it at the last look: most of /proc needn't be read again. */
  private members: readonly string[] = [];

  constructor(private readonly id: number) {}

  /** Whether a process of it still runs. Always false on Windows, which has no groups: there the whole tree is killed at once. */
  async exists(): Promise<boolean> {
    if (process.platform === 'win32') return false;
    try {
      process.kill(-this.id, 0);
    } catch {
      return false;
    }
    if (process.platform !== 'linux') return true;
    // In a container, nothing may reap orphans: zombies stay in the group for ever, although they are gone.
    this.members = await this.runningOf(this.members);
    if (this.members.length === 0) this.members = await this.runningOf((await readdir('/proc')).filter(isPid));
    return this.members.length > 0;
  }

  private async runningOf(pids: readonly string[]): Promise<readonly string[]> {
    const running: string[] = [];
    for (let at = 0; at < pids.length; at += atOnce) {
      const some = pids.slice(at, at + atOnce);
      const runs = await Promise.all(some.map((pid) => runsInGroup(pid, this.id)));
      running.push(...some.filter((_, index) => runs[index]));
    }
    return running;
  }
}

function isPid(name: string): boolean {
  return /^\d+$/.test(name);
}

/** Reads a process's state and group (proc(5), /proc/pid/stat): they follow its name, which may contain anything. */
async function runsInGroup(pid: string, group: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false; // gone in the meantime
  }
}
