import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { maxHeader, readJournalHeader } from './journalHeader';
import type { JournalHeader } from './journalLine';

const chunkBytes = 1024 * 1024;
/** How a header begins, after another line. */
const beginning = Buffer.from('\n{"journal":1,');
const lineFeed = 10;

/** The header that a journal's file begins with; `undefined` for what is no journal. */
export function firstHeader(path: string): Promise<JournalHeader | undefined> {
  return inFile(path, (file) => headerAt(file, 0));
}

/**
 * The header of the last run in a journal's file: it has several if a tap was given its name more than once. The last run is the one
 * that goes on in other files. `undefined` if the file is no journal.
 */
export function lastHeader(path: string): Promise<JournalHeader | undefined> {
  return inFile(path, async (file, size) => {
    let after = Buffer.alloc(0);
    for (let end = size; end > 0;) {
      const start = Math.max(0, end - chunkBytes);
      const bytes = Buffer.concat([await bytesAt(file, start, end - start), after]);
      for (let at = bytes.lastIndexOf(beginning); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(beginning, at - 1)) {
        const header = await headerAt(file, start + at + 1);
        if (header) return header;
      }
      // A beginning may lie across two chunks.
      after = bytes.subarray(0, beginning.length - 1);
      end = start;
    }
    return headerAt(file, 0);
  });
}

/** Reads of a file, and of nothing else: to open a pipe would block for ever. */
async function inFile<T>(path: string, read: (file: FileHandle, size: number) => Promise<T>): Promise<T | undefined> {
  const known = await stat(path);
  if (!known.isFile()) return undefined;
  const file = await open(path, 'r');
  try {
    return await read(file, known.size);
  } finally {
    await file.close();
  }
}

/** The header in the line that begins there, if it is one. */
async function headerAt(file: FileHandle, start: number): Promise<JournalHeader | undefined> {
  const parts: Buffer[] = [];
  for (let at = start; at < start + maxHeader; at += chunkBytes) {
    const bytes = await bytesAt(file, at, chunkBytes);
    const end = bytes.indexOf(lineFeed);
    parts.push(end < 0 ? bytes : bytes.subarray(0, end));
    if (end >= 0 || bytes.length < chunkBytes) break;
  }
  return readJournalHeader(Buffer.concat(parts).toString());
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
