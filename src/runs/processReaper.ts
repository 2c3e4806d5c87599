import { spawn } from 'node:child_process';
import { ProcessGuardian } from './processGuardian';

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

/** Sees to it that no agent outlives the process that started it: when that exits, and by its guardian when it is killed. */
export class ProcessReaper {
  private readonly pids = new Set<number>();
  private readonly guardian = new ProcessGuardian();
  private disposed = false;
  private readonly onExit = (): void => {
    for (const pid of this.pids) signalGroup(pid, 'SIGKILL');
  };

  constructor() {
    process.once('exit', this.onExit);
  }

  add(pid: number): void {
    this.pids.add(pid);
    if (this.disposed) signalGroup(pid, 'SIGKILL');
    else this.guardian.watch(-pid);
  }

  delete(pid: number): void {
    this.pids.delete(pid);
    this.guardian.release(-pid);
  }

  /** Ends all that are left, and whatever is added afterwards. */
  dispose(): void {
    this.disposed = true;
    this.onExit();
    this.guardian.dispose();
    process.removeListener('exit', this.onExit);
  }
}
