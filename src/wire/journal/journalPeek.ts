import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { maxHeader, readJournalHeader } from './journalHeader';
import type { JournalHeader } from './journalLine';
import { readJournalLine } from './journalReader';
import type { WireEvent } from '../wireEvent';

/** Enough for a header, and for the last events of a run. */
const peekBytes = 16 * 1024;

/** What is known of a journal without reading it. */
export interface JournalPeek {
  /** Absent where the file has none: a recorded transcript. */
  readonly header?: JournalHeader;
  /** Its first lines. */
  readonly first: readonly string[];
  /** Its last events, if they are short: how the run ended, if it did. */
  readonly last: readonly WireEvent[];
}

/** Looks at the first and the last lines of a journal. */
export async function peekJournal(path: string): Promise<JournalPeek> {
  const { size } = await stat(path);
  const file = await open(path, 'r');
  try {
    const first = await firstLines(file, size);
    const header = readJournalHeader(first[0] ?? '');
    const from = Math.max(0, size - peekBytes);
    const lines = textOf(await file.read(Buffer.alloc(peekBytes), 0, peekBytes, from)).split('\n');
    const whole = from === 0 ? lines : lines.slice(1);
    const last = whole.flatMap((line) => readJournalLine(line) ?? []);
    return { ...(header && { header }), first, last };
  } finally {
    await file.close();
  }
}

async function firstLines(file: FileHandle, size: number): Promise<readonly string[]> {
  const first = textOf(await file.read(Buffer.alloc(peekBytes), 0, peekBytes, 0));
  // A command line can be long.
  const most = Math.min(size, maxHeader);
  const isCut = !first.includes('\n') && most > peekBytes;
  return (isCut ? textOf(await file.read(Buffer.alloc(most), 0, most, 0)) : first).split('\n');
}

function textOf({ buffer, bytesRead }: { buffer: Buffer; bytesRead: number }): string {
  return buffer.toString('utf8', 0, bytesRead);
}
