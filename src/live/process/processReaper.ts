import { ProcessGuardian } from './processGuardian';
import { endTree } from './windowsProcesses';

/**
 * Signals a process group. The child is its leader on POSIX, and the root of its tree on Windows, where its exit event must not have come yet.
 * @param killAlone called if Windows can't end the tree; kills at least the child
 */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL', killAlone?: () => void): boolean {
  if (process.platform === 'win32') {
    endTree(pid, killAlone);
    return true;
  }
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // the group is empty
  }
}

/** Ensures that no agent outlives the process that started it: on exit, and through the guardian if it is killed. */
export class ProcessReaper {
  private readonly pids = new Set<number>();
  private readonly guardian = new ProcessGuardian();
  private disposed = false;
  private readonly onExit = (): void => {
    for (const pid of this.pids) this.kill(pid);
  };

  constructor() {
    process.once('exit', this.onExit);
  }

  add(pid: number): void {
    this.pids.add(pid);
    if (this.disposed) this.kill(pid);
    else this.guardian.watch(-pid);
  }

  delete(pid: number): void {
    this.pids.delete(pid);
    this.guardian.release(-pid);
  }

  private kill(pid: number): void {
    signalGroup(pid, 'SIGKILL', () => {
      if (this.pids.has(pid)) process.kill(pid, 'SIGKILL');
    });
  }

  /** Ends all remaining agents, and any that are added afterwards. */
  dispose(): void {
    this.disposed = true;
    this.onExit();
    this.guardian.dispose();
    process.removeListener('exit', this.onExit);
  }
}
