import { rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between attempts. */
const pause = 20;
/** A lock that stays the same for this long was left by a process that crashed, in milliseconds. */
const defaultLimit = 10_000;

/**
 * Runs an action while no other process or call runs one with the same lock file. Actions should take milliseconds.
 * @param path the lock file, in a folder that exists
 * @param limit how long a lock may be held, in milliseconds
 * @throws file system errors, if the lock can't be created; and what the action throws
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>, limit = defaultLimit): Promise<T> {
  await acquire(path, limit);
  try {
    return await action();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string, limit: number): Promise<void> {
  let holder: string | undefined;
  let heldSince = performance.now();
  for (;;) {
    const error = await create(path);
    if (!error) return;
    const now = performance.now();
    const current = await holderOf(path);
    if (current !== holder) [holder, heldSince] = [current, now];
    if (now - heldSince > limit) {
      // Without a lock file, something else is wrong, such as a folder that can't be written to.
      if (current === undefined) throw error;
      await rm(path, { force: true });
    }
    await sleep(pause);
  }
}

/** Returns the error if the file exists, or may: Windows refuses access to a file that is being deleted. */
async function create(path: string): Promise<Error | undefined> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || (process.platform === 'win32' && code === 'EPERM')) return error as Error;
    throw error;
  }
}

/** Changes if another holder has created the lock. */
async function holderOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && `${found.ino} ${found.birthtimeMs} ${found.mtimeMs}`;
}
