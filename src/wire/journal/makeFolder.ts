import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

// Node's own `recursive` is not used: it never returns where a system says ENOENT of a folder whose parent is there, as Linux does in /proc,
// and keeps the process from ending.

/** The person's alone. */
const options = { mode: 0o700 };

/**
 * Makes a folder if it is missing, and its parents.
 * @throws the error of the system where one cannot be made
 */
export async function makeFolder(path: string): Promise<void> {
  const known = await stat(path).catch(() => undefined);
  if (known) return; // what is no folder says so when something is opened in it
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, options).catch(throwUnlessThere);
}

/** Likewise, at once. */
export function makeFolderNow(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  if (dirname(path) !== path) makeFolderNow(dirname(path));
  try {
    mkdirSync(path, options);
  } catch (error) {
    throwUnlessThere(error);
  }
}

/** Another process may have made it meanwhile. */
function throwUnlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
