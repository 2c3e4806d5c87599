import { FileSource } from '../../wire/fileSource';
import { markLength } from '../../text/bytes/byteOrderMark';
import type { Line } from '../../text/bytes/line';
import type { JournalHeader } from '../../wire/journal/journalLine';
import { beginsDocument, DocumentReader } from '../../wire/lines/documentReader';
import type { StreamReader } from '../../wire/lines/framing';
import { LineReader } from '../../wire/lines/lineReader';
import { nextPart } from '../../wire/journal/nextPart';
import type { JournalFile } from '../../wire/journal/beingWritten';
import { isAlive } from '../../machine/processAlive';
import { hasBeat, isBeingWritten, writerOf } from '../../wire/journal/beingWritten';
import type { LogReader } from '../../runLog/reading/logReader';
import { Slices } from '../../time/slices';

/** Maximum line length, in bytes: taps keep lines of 16 MB, which are longer once escaped in JSON. */
export const maxLineBytes = 64 * 1024 * 1024;
/** Maximum length of a JSON document over many lines, as far as it isn't a list of spans or log records, in bytes. */
const maxDocumentBytes = 16 * 1024 * 1024;
/** After how many lines to look at the clock. */
const linesAtOnce = 16;

export interface Following {
  /** Called at the end. Returns whether to wait for more; default: no. */
  readonly follows?: () => boolean;
  /** Called after some lines and at each poll; awaited. */
  readonly onSlice?: (slice: { readonly bytesRead: number; readonly atEnd: boolean }) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

interface FileReading extends Following {
  readonly path: string;
  readonly reader: LogReader;
  /** Time of the lines so far that have no timestamp, in milliseconds since the epoch. Those that are appended are new. */
  readonly modifiedAt: number;
}

/**
 * Reads a file and the following parts of a journal, then follows it if wanted. A file that is truncated or replaced is read again from
 * the beginning.
 * @returns `abandoned` if the writer exited without recording an end
 * @throws if the file can't be opened or read
 */
export async function followFile(reading: FileReading): Promise<'ended' | 'abandoned'> {
  const { reader, follows, onSlice, signal } = reading;
  let source = await FileSource.open(reading.path);
  const lines = new Lines(reader, () => (hasLooked ? Date.now() : reading.modifiedAt));
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
        await lines.push(bytes);
        await onSlice?.({ bytesRead, atEnd: false });
        continue;
      }
      await lines.pause();
      const next = reader.header && (await nextPart(source.path, reader.header));
      if (next !== undefined) {
        // Read what was written to this part since the last check.
        isLastLook = !isLastLook;
        if (isLastLook) continue;
        lines.end();
        await source.close();
        source = await FileSource.open(next);
        continue;
      }
      if (reader.hasEnded || follows?.() !== true) break;
      if (isGone) return 'abandoned';
      isGone = !hasLooked && (await writer.look(reader.header, source)) === 'gone';
      // Its last lines may have been written since then.
      if (isGone) continue;
      await onSlice?.({ bytesRead, atEnd: true });
      hasLooked = true;
      const change = await source.wait(signal);
      if (change === 'restarted') {
        lines.end();
        bytesRead = 0;
        reader.restart();
      }
      const now = await writer.look(reader.header, source);
      isGone = now === 'gone';
      // Its last lines may have been written since the file was checked.
      isUnchanged = change === 'unchanged' && !isGone;
      // Without a writer, nothing can hang.
      if (grew || now === 'alive') reader.quiet(Date.now());
      else reader.pause();
    }
    await lines.finish();
    return 'ended';
  } finally {
    lines.end();
    await source.close();
  }
}

/** Passes the lines of consecutive files to the reader. */
class Lines {
  private lines: StreamReader | undefined;
  private readonly slices = new Slices();

  constructor(
    private readonly reader: LogReader,
    private readonly now: () => number,
  ) {}

  /** Reads the next bytes, in slices: a chunk may have many spans. */
  async push(bytes: Buffer): Promise<void> {
    const { slices } = this;
    const isFirst = this.lines === undefined;
    const lines = (this.lines ??= newReader(bytes));
    // A journal that an editor or a shell has saved may have one.
    lines.push(isFirst ? bytes.subarray(markLength(bytes)) : bytes);
    await slices.next();
    let count = 0;
    for (let line = lines.next(); line; line = lines.next()) {
      this.read(line);
      if (++count % linesAtOnce === 0 && slices.isSpent) await slices.next();
    }
    this.reader.flush();
  }

  /** Called at the end of the file: reads what is complete, though more may follow. */
  async pause(): Promise<void> {
    const { reader, slices } = this;
    const entries = this.lines?.pause?.();
    if (entries) this.read(entries);
    reader.recognise();
    await slices.next();
    while (reader.writeStep()) if (slices.isSpent) await slices.next();
  }

  async finish(): Promise<void> {
    this.end();
    await this.pause();
  }

  /** Flushes an unterminated last line before the next file. */
  end(): void {
    for (let last = this.lines?.end(); last; last = this.lines?.end()) this.read(last);
    if (this.lines?.cut !== undefined) this.reader.documentCut(this.lines.cut);
    this.lines = undefined;
  }

  private read(line: Line): void {
    this.reader.line(line, this.now());
  }
}

function newReader(head: Buffer): StreamReader {
  return beginsDocument(head) ? new DocumentReader(maxDocumentBytes) : new LineReader(maxLineBytes);
}

/** The process that writes the journal. */
class Writer {
  /** Header of the run whose writer is known to exist. */
  private found: JournalHeader | undefined;

  /** Once the writer was found, uses only cheap checks as long as they are conclusive. */
  async look(header: JournalHeader | undefined, file: JournalFile): Promise<'alive' | 'gone' | 'unknown'> {
    const writer = header && writerOf(header);
    if (!writer) return 'unknown';
    if (header === this.found && isAlive(writer.pid) && hasBeat(header, file) === true) return 'alive';
    const isThere = await isBeingWritten(header, file);
    this.found = isThere ? header : undefined;
    return isThere ? 'alive' : 'gone';
  }
}
