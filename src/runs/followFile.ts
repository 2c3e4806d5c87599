import { FileSource } from '../wire/fileSource';
import { LineReader, takenLine } from '../wire/lineReader';
import { nextPart } from '../wire/nextPart';
import { isWriting } from '../wire/processAlive';
import type { LogReader } from './logReader';

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
  const { reader, follows, onSlice, signal, timeOf } = reading;
  let source = await FileSource.open(reading.path);
  const newLines = (): LineReader =>
    new LineReader(reading.maxLineBytes, { takeLine: (chunk, start, end) => reader.takeLine(chunk, start, end) });
  let lines = newLines();
  let bytesRead = 0;
  let looks = 0;
  let isLastLook = false;
  let hasLooked = false;
  let grew = false;
  try {
    while (signal?.aborted !== true) {
      const bytes = await source.read();
      if (bytes) {
        bytesRead += bytes.length;
        if (hasLooked && !grew) reader.resume(Date.now());
        grew ||= hasLooked;
        looks = 0;
        isLastLook = false;
        lines.push(bytes);
        for (let line = lines.next(); line; line = lines.next()) if (line !== takenLine) reader.line(line, timeOf());
        await onSlice({ bytesRead, atEnd: false });
        continue;
      }
      reader.recognise();
      const next = reader.header && (await nextPart(source.path, reader.header));
      if (next !== undefined) {
        // What was written since we looked stands before it.
        if (!isLastLook) {
          isLastLook = true;
          continue;
        }
        isLastLook = false;
        readLast(lines, reading);
        await source.close();
        source = await FileSource.open(next);
        lines = newLines();
        continue;
      }
      if (reader.hasEnded || !follows()) break;
      // Its last lines may have been written after we looked, and before it was gone.
      if (isAbandoned(reader, source.path) && ++looks > 1) return 'abandoned';
      await onSlice({ bytesRead, atEnd: true });
      hasLooked = true;
      if ((await source.wait(signal)) === 'restarted') {
        readLast(lines, reading);
        lines = newLines();
        bytesRead = 0;
        reader.restart();
      }
      // In what nobody writes any more nothing hangs.
      if (grew || isBeingWritten(reader, source.path)) reader.quiet(Date.now());
      else reader.pause();
    }
    return 'ended';
  } finally {
    readLast(lines, reading);
    await source.close();
  }
}

function readLast(lines: LineReader, { reader, timeOf }: FileReading): void {
  const last = lines.end();
  if (last) reader.line(last, timeOf());
}

/** Nobody writes it any more, and nobody will. */
function isAbandoned(reader: LogReader, path: string): boolean {
  return writerOf(reader) !== undefined && !isBeingWritten(reader, path);
}

function isBeingWritten(reader: LogReader, path: string): boolean {
  const writer = writerOf(reader);
  return writer !== undefined && isWriting(writer.pid, Date.parse(reader.header?.startedAt ?? ''), path);
}

function writerOf({ header }: LogReader): { readonly pid: number } | undefined {
  return header?.tap ?? header?.host;
}
