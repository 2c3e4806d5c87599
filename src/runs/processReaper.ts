import { spawn } from 'node:child_process';

/** A process group that may have to be ended: on POSIX the child is its group's leader, on Windows the root of its tree. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (process.platform === 'win32') {
    // Windows has no process groups and no SIGTERM for console programs: taskkill ends the tree.
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return true;
  }
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // nobody is left in the group
  }
}

/** Whether anybody is left in a process group. Windows has none: there the tree was ended at once. */
export function groupExists(pid: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/** Sees to it that no agent outlives the process that started it. */
export class ProcessReaper {
  private readonly pids = new Set<number>();
  private disposed = false;
  private readonly onExit = (): void => {
    for (const pid of this.pids) signalGroup(pid, 'SIGKILL');
  };

  constructor() {
    process.once('exit', this.onExit);
  }

  add(pid: number): void {
    if (this.disposed) signalGroup(pid, 'SIGKILL');
    this.pids.add(pid);
  }

  delete(pid: number): void {
    this.pids.delete(pid);
  }

  /** Ends all that are left, and whatever is added afterwards. */
  dispose(): void {
    this.disposed = true;
    this.onExit();
    process.removeListener('exit', this.onExit);
  }
}
