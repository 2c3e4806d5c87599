import { FileSource } from '../../wire/fileSource';
import type { JournalHeader } from '../../wire/journal/journalLine';
import { LineReader } from '../../wire/lines/lineReader';
import { nextPart } from '../../wire/journal/nextPart';
import type { JournalFile } from '../../wire/processAlive';
import { hasBeat, isAlive, isBeingWritten, writerOf } from '../../wire/processAlive';
import type { LogReader } from '../reading/logReader';

/** A tap keeps lines of 16 MB, which are longer as text in JSON; a longer line is none of ours. */
export const maxLineBytes = 64 * 1024 * 1024;

export interface FileReading {
  readonly path: string;
  readonly reader: LogReader;
  /** Longer lines are reported by their beginning, in bytes. */
  readonly maxLineBytes: number;
  /** When a line was written that does not say it itself, in milliseconds since the epoch. */
  readonly timeOf: () => number;
  /** Asked at the end of the file: whether to wait for more. */
  readonly follows: () => boolean;
  /** After some lines, and at each look for more: what is done then is waited for. */
  readonly onSlice: (slice: { readonly bytesRead: number; readonly atEnd: boolean }) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

/**
 * Reads a file to its end, and the parts of a journal after it; then, where that is wanted, as it grows. A file that is cut, or replaced by
 * another of its name, is read from its beginning again.
 * @returns whether whoever wrote it is gone without an end
 * @throws where it cannot be opened or read
 */
export async function followFile(reading: FileReading): Promise<'ended' | 'abandoned'> {
  const { reader, follows, onSlice, signal } = reading;
  let source = await FileSource.open(reading.path);
  const lines = new Lines(reading);
  const writer = new Writer();
  let isGone = false;
  let isUnchanged = false;
  let bytesRead = 0;
  let isLastLook = false;
  let hasLooked = false;
  let grew = false;
  try {
    while (signal?.aborted !== true) {
      const bytes = isUnchanged ? undefined : await source.read();
      isUnchanged = false;
      if (bytes) {
        bytesRead += bytes.length;
        if (hasLooked && !grew) reader.resume(Date.now());
        grew ||= hasLooked;
        isGone = false;
        isLastLook = false;
        lines.push(bytes);
        await onSlice({ bytesRead, atEnd: false });
        continue;
      }
      reader.recognise();
      const next = reader.header && (await nextPart(source.path, reader.header));
      if (next !== undefined) {
        // What was written since the last look comes before it.
        isLastLook = !isLastLook;
        if (isLastLook) continue;
        lines.end();
        await source.close();
        source = await FileSource.open(next);
        continue;
      }
      if (reader.hasEnded || !follows()) break;
      if (isGone) return 'abandoned';
      isGone = !hasLooked && (await writer.look(reader.header, source)) === 'gone';
      // Its last lines may have been written since the end was read.
      if (isGone) continue;
      await onSlice({ bytesRead, atEnd: true });
      hasLooked = true;
      const change = await source.wait(signal);
      if (change === 'restarted') {
        lines.end();
        bytesRead = 0;
        reader.restart();
      }
      const now = await writer.look(reader.header, source);
      isGone = now === 'gone';
      // What it wrote last may have come since the file was looked at.
      isUnchanged = change === 'unchanged' && !isGone;
      // If nobody writes it any more, nothing hangs.
      if (grew || now === 'alive') reader.quiet(Date.now());
      else reader.pause();
    }
    return 'ended';
  } finally {
    lines.end();
    await source.close();
  }
}

/** Hands the lines of one file after the other to the reader. */
class Lines {
  private lines: LineReader;

  constructor(private readonly reading: FileReading) {
    this.lines = this.newReader();
  }

  push(bytes: Buffer): void {
    const { reader, timeOf } = this.reading;
    const { lines } = this;
    lines.push(bytes);
    for (let line = lines.next(); line; line = lines.next()) reader.line(line, timeOf());
  }

  /** The last line has no end, and what comes next is another file. */
  end(): void {
    const last = this.lines.end();
    if (last) this.reading.reader.line(last, this.reading.timeOf());
    this.lines = this.newReader();
  }

  private newReader(): LineReader {
    return new LineReader(this.reading.maxLineBytes);
  }
}

/** The process that writes a journal, as it is followed. */
class Writer {
  /** The header of the run whose writer was found. */
  private found: JournalHeader | undefined;

  /** After it was found once, asks only what costs nothing, as long as that leaves no doubt. */
  async look(header: JournalHeader | undefined, file: JournalFile): Promise<'alive' | 'gone' | 'unknown'> {
    const writer = header && writerOf(header);
    if (!writer) return 'unknown';
    if (header === this.found && isAlive(writer.pid) && hasBeat(header, file) === true) return 'alive';
    const isThere = await isBeingWritten(header, file);
    this.found = isThere ? header : undefined;
    return isThere ? 'alive' : 'gone';
  }
}
