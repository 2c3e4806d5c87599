import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readJournalLine } from '../../wire/journal/journalReader';

/** A line of a file, counted from 0. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
}

/**
 * Finds the line that a record was read from: in a journal by its time and text, in any other file by its text.
 * @param paths the files of a run, oldest first
 * @param at the record's time of arrival, in milliseconds since the epoch
 * @param raw the line or lines of the record
 */
export async function indexOfLine(paths: readonly string[], at: number, raw: string): Promise<LinePlace | undefined> {
  const [first = ''] = raw.split('\n', 1);
  const time = new Date(at).toISOString();
  for (const path of paths) {
    let line = 0;
    for await (const text of linesOf(path)) {
      if (text === raw || text === first) return { path, line };
      if (text.includes(time) && isLineOf(text, at, first)) return { path, line };
      line++;
    }
  }
  return undefined;
}

function isLineOf(text: string, at: number, first: string): boolean {
  const event = readJournalLine(text);
  return (
    event !== undefined && event.t === at && 'line' in event && (event.line === first || event.line.startsWith(first))
  );
}

function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path, { highWaterMark: 256 * 1024 }), crlfDelay: Infinity });
}
