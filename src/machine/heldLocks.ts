import { execFile } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';

/** Whether a process holds a lock on a file. A kill leaves the file behind, but not the lock. */
export type IsLocked = (path: string) => Promise<boolean>;

/** Asks the system, without trying to lock the file: that would keep its owner from it. */
export const isLocked: IsLocked = async (path) => {
  switch (process.platform) {
    case 'linux':
      return isInLocks(path);
    case 'win32':
      return isRefused(path);
    default:
      return isOpen(path);
  }
};

/** Each line has the file's device, in hexadecimal, and its inode: `1: FLOCK ADVISORY WRITE 812 fd:01:131 0 EOF`. */
async function isInLocks(path: string): Promise<boolean> {
  try {
    const { ino } = await stat(path);
    // The device differs on some file systems with several volumes.
    return new RegExp(`^\\d+: (?:FLOCK|POSIX|OFDLCK) .*:${ino} `, 'm').test(await readFile('/proc/locks', 'utf8'));
  } catch {
    return false;
  }
}

/** Windows lets nobody else read what is locked. */
async function isRefused(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      await file.read(Buffer.alloc(1), 0, 1, 0);
    } finally {
      await file.close();
    }
    return false;
  } catch (error) {
    return ['EBUSY', 'EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code));
  }
}

/** Only the owner of a lock has its file open. */
function isOpen(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('/usr/sbin/lsof', ['-t', '--', path], { timeout: 5000 }, (_error, stdout) =>
      resolve(stdout.trim() !== ''),
    );
  });
}
