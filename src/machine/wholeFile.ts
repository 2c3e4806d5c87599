import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** After this long, nothing writes a temporary file any more, in milliseconds. */
const maxAge = 3_600_000;
const id = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
  await removeOld(path);
}

/** Removes the temporary files of earlier calls whose process was killed. */
async function removeOld(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const names = await readdir(folder).catch(() => []);
  for (const found of names) {
    if (!found.startsWith(name) || !id.test(found.slice(name.length))) continue;
    const temporary = join(folder, found);
    const known = await stat(temporary).catch(() => undefined);
    if (known?.isFile() === true && Date.now() - known.mtimeMs > maxAge) {
      await rm(temporary, { force: true }).catch(() => undefined);
    }
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
