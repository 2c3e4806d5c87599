import { rename, rm } from 'node:fs/promises';

/**
 * Writes a file as a whole, because another process may read it at any time.
 * @param write gets the path of a temporary file, which then replaces the file
 */
export async function replaceFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
