import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file as a whole, because another process may read it at any time. Calls may overlap, in this process or others: the last to finish wins.
 * @param write gets the path of a temporary file, which then replaces the file
 */
export async function replaceFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The text of a small file; `undefined` if it can't be read or has more than `maxBytes`. */
export async function readWhole(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes + 1));
      return bytesRead > maxBytes ? undefined : buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
