import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';

const lineFeed = 10;

/** Whether text appended to this file starts a new line: it is empty, missing, not a regular file, unreadable, or ends with a line feed. */
export async function endsWithLine(path: string): Promise<boolean> {
  try {
    const known = await stat(path);
    if (!known.isFile() || known.size === 0) return true;
    const file = await open(path, 'r');
    try {
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, known.size - 1);
      return buffer[0] === lineFeed;
    } finally {
      await file.close();
    }
  } catch {
    return true;
  }
}

/** The same without waiting, for a process that is about to exit. */
export function endsWithLineNow(path: string): boolean {
  try {
    const known = statSync(path);
    return !known.isFile() || known.size === 0 || byteAt(path, known.size - 1) === lineFeed;
  } catch {
    return true;
  }
}

function byteAt(path: string, position: number): number | undefined {
  const file = openSync(path, 'r');
  try {
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, position);
    return byte[0];
  } finally {
    closeSync(file);
  }
}
