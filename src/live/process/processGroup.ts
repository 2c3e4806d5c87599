import { pidsInProc, statOf } from '../../machine/proc';

/** Number of /proc files to read concurrently; Node's few threads may have other work. */
const atOnce = 4;

/** An agent's processes: on POSIX a group, whose ID is the PID of its first process. */
export class ProcessGroup {
  /** Processes found in it last time, so that most of /proc needn't be read again. */
  private members: readonly string[] = [];

  constructor(private readonly id: number) {}

  /** The PIDs that `exists` found last, on Linux. */
  get found(): readonly number[] {
    return this.members.map(Number);
  }

  /** True if any of its processes is still running. Always false on Windows, which has no groups; the whole tree is killed at once there. */
  async exists(): Promise<boolean> {
    if (process.platform === 'win32') return false;
    try {
      process.kill(-this.id, 0);
    } catch {
      return false;
    }
    if (process.platform !== 'linux') return true;
    // In a container, nothing may reap orphans: zombies stay in the group forever, although they have exited.
    this.members = await this.runningOf(this.members);
    if (this.members.length === 0) this.members = await this.runningOf(await pidsInProc());
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

async function runsInGroup(pid: string, group: number): Promise<boolean> {
  const [state, , itsGroup] = (await statOf(pid)) ?? [];
  return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
}
