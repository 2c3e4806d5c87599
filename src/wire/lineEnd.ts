import { closeSync, openSync, readSync, statSync } from 'node:fs';

const lineFeed = 10;

/** Whether what is written behind this file begins a line: it is empty or not there, no file, not ours to read, or ends with a line feed. */
export function endsWithLine(path: string): boolean {
  try {
    const known = statSync(path, { throwIfNoEntry: false });
    return !known?.isFile() || known.size === 0 || byteAt(path, known.size - 1) === lineFeed;
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
