import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { beginsDocument, DocumentReader } from '../lines/documentReader';
import type { JournalHeader } from './journalLine';
import { maxHeader, readJournalHeader } from './journalLine';
import { readJournalLine } from './journalReader';
import type { WireEvent } from '../wireEvent';

/** Enough for most headers, and for the last events of a run. */
const peekBytes = 16 * 1024;

const chunkBytes = 1024 * 1024;
/** The beginning of a header after another line. */
const beginning = Buffer.from('\n{"journal":1,');
const lineFeed = 10;

/** What the beginning and the end of a journal say. */
export interface JournalPeek {
  /** Absent for a recorded transcript. */
  readonly header?: JournalHeader;
  /** Its first lines. */
  readonly first: readonly string[];
  /** Its last events if they are short, which show how the run ended. */
  readonly last: readonly WireEvent[];
}

/** Reads the first and last lines of a journal. */
export async function peekJournal(path: string): Promise<JournalPeek> {
  const peek = await inFile(path, async (file, size) => {
    const first = await firstLines(file, size);
    const header = readJournalHeader(first[0] ?? '');
    const from = Math.max(0, size - peekBytes);
    const lines = (await bytesAt(file, from, peekBytes)).toString().split('\n');
    const last = lines.slice(from === 0 ? 0 : 1).flatMap((line) => readJournalLine(line) ?? []);
    return { ...(header && { header }), first, last };
  });
  return peek ?? { first: [], last: [] };
}

async function firstLines(file: FileHandle, size: number): Promise<readonly string[]> {
  const first = await bytesAt(file, 0, peekBytes);
  // A command line can be long.
  const isCut = !first.includes(lineFeed) && size > peekBytes;
  const head = isCut ? await bytesAt(file, 0, Math.min(size, maxHeader)) : first;
  return beginsDocument(head) ? documentsIn(head) : head.toString().split('\n');
}

/** The first documents of a file whose lines are none; the last may be cut. */
function documentsIn(head: Buffer): readonly string[] {
  const reader = new DocumentReader(head.length);
  reader.push(head);
  const documents: string[] = [];
  for (let one = reader.next() ?? reader.pause() ?? reader.end(); one; one = reader.next() ?? reader.end()) {
    documents.push(one.text);
  }
  return documents;
}

/** The header at the beginning of a file; `undefined` if it isn't a journal. */
export function firstHeader(path: string): Promise<JournalHeader | undefined> {
  return inFile(path, (file) => headerAt(file, 0));
}

/**
 * The header of the last run in a file; a tap that is given the same file again appends to it. Only the last run continues in other files.
 * `undefined` if the file isn't a journal.
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
      // The beginning of a header may span two chunks.
      after = bytes.subarray(0, beginning.length - 1);
      end = start;
    }
    return headerAt(file, 0);
  });
}

/** Returns `undefined` if it isn't a regular file: opening a pipe could block forever. */
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

/** The header in the line that starts at this offset, if it is one. */
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
