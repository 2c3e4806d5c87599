import { beganAfter, hasOpen, isAlive } from '../../machine/processAlive';
import { ProcessStarts } from '../../machine/processStarts';
import type { JournalHeader } from './journalLine';

/** How often a writer touches its journal, in seconds. */
export const beatSeconds = 60;
/** A writer that misses this many beats is considered gone. */
const missedBeats = 3;

/** A file of a journal. */
export interface JournalFile {
  readonly path: string;
  /** In milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** The process that writes a journal, if its header has one. */
export function writerOf({ tap, host }: JournalHeader): { readonly pid: number; readonly beat?: number } | undefined {
  return tap ?? host;
}

/** Whether the writer has touched its journal recently. `undefined` for writers that don't do that. */
export function hasBeat(header: JournalHeader, { modifiedAt }: JournalFile): boolean | undefined {
  const beat = writerOf(header)?.beat;
  return beat === undefined ? undefined : Date.now() - modifiedAt <= missedBeats * beat * 1000;
}

/**
 * Whether the process that started a journal is still running. PIDs are reused, in containers even the same ones after each start. On Linux, a
 * process that started after the journal or misses its beats is a different one, perhaps of another machine, unless it has the file open (then
 * the clock was changed, or it was suspended). Elsewhere the journal's last beat decides: if the PID is reused at once, the journal counts as
 * being written for three more minutes, and a writer that was suspended for longer counts as gone until its next beat.
 */
export async function isBeingWritten(
  header: JournalHeader,
  file: JournalFile,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const writer = writerOf(header);
  if (!writer || !isAlive(writer.pid)) return false;
  if (platform !== 'linux') return hasBeat(header, file) ?? true;
  const start = await new ProcessStarts(platform).of(writer.pid);
  const isOther = beganAfter(start, Date.parse(header.startedAt)) || hasBeat(header, file) === false;
  return !isOther || hasOpen(writer.pid, file.path);
}
