import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

// Node's `recursive` option never returns if a system reports ENOENT although the parent exists, as Linux does in /proc, and then the
// process can't exit.

/** Accessible only to the user. */
const options = { mode: 0o700 };

/**
 * Creates a folder and its parents if they are missing.
 * @throws whatever the file system reports
 */
export async function makeFolder(path: string): Promise<void> {
  const known = await stat(path).catch(() => undefined);
  if (known) return; // If it isn't a folder, opening a file in it will fail.
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, options).catch(throwUnlessThere);
}

/** The same, synchronously. */
export function makeFolderNow(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  if (dirname(path) !== path) makeFolderNow(dirname(path));
  try {
    mkdirSync(path, options);
  } catch (error) {
    throwUnlessThere(error);
  }
}

/** Another process may have created it in the meantime. */
function throwUnlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}
