import type { RunFiles, RunLine } from './runLines';
import { linesAt, linesOf, numberOf } from './runLines';

/** A line of a file, counted from 0. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
}

/**
 * Finds the line that a record was read from: in a journal by its time and text, in any other file by its text.
 * @param at the record's time of arrival, in milliseconds since the epoch
 * @param raw the line or lines of the record
 */
export async function placeOfRecord(run: RunFiles, at: number, raw: string): Promise<LinePlace | undefined> {
  const [first = ''] = raw.split('\n', 1);
  const isOwn = (line: RunLine): boolean => {
    if (line.text === raw || line.text === first) return true;
    return line.type === 'event' && line.event.t === at && 'line' in line.event && line.event.line.startsWith(first);
  };
  for (const lines of [linesAt(run, at), linesOf(run)]) {
    for await (const line of lines) if (isOwn(line)) return { path: line.path, line: await numberOf(line) };
  }
  return undefined;
}
