import { t } from '../text/translator';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { LogRecord } from '../text/record';
import { isFileRun } from '../past/files/fileRuns';
import type { RunLine } from '../past/files/runLines';
import { linesOf } from '../past/files/runLines';
import { HumanError } from '../text/humanError';
import { Slices } from '../time/slices';
import type { RunView } from '../runLog/runView';
import { exportFile, noJournal, write } from './exportFile';
import type { ExportLines } from './exportLines';
import { jsonLines, textLines } from './exportLines';
import type { ExportOptions } from './exportRun';

/** The records to export, by position. */
export interface Matches {
  readonly state: { readonly total: number };
  rows(from: number, count: number): Promise<readonly LogRecord[]>;
}

type Batches = AsyncGenerator<readonly LogRecord[]>;

const batch = 200;
/** Maximum time between a record and its line in the journal, in milliseconds. */
const spread = 10_000;
/** Maximum number of nearby lines to keep; older ones are dropped. */
const maxNear = 10_000;

/**
 * Writes the records that match a filter to a file, in the formats of `exportRun`. A journal export has the lines that the records were read from, and
 * all process events.
 * @throws HumanError if there is no journal; or like `exportFile`
 */
export async function exportMatches(
  run: RunView,
  matches: Matches,
  options: Omit<ExportOptions, 'redaction'>,
): Promise<void> {
  const { path, format, token, onProgress } = options;
  await run.journal?.flush();
  const sources = run.journal?.paths ?? [];
  if (format === 'journal' && sources.length === 0) throw noJournal();
  if (format === 'journal' && isFileRun(run) && run.info.saved) {
    throw new HumanError(
      t('A saved session has no journal. Use **Keep a Copy…**, or export its records as text or JSON lines.'),
    );
  }
  await exportFile(path, sources, token, async (out, signal) => {
    const records = batches(matches, signal, onProgress);
    if (format === 'journal') await writeJournal(out, run, records, signal);
    else await writeRecords(out, run, records, format === 'text' ? textLines : jsonLines);
  });
}

async function writeRecords(out: Writable, run: RunView, records: Batches, lines: ExportLines): Promise<void> {
  const slices = new Slices();
  await write(out, lines.head(run));
  for await (const some of records) {
    const written = await slices.flatMap(some, (record) => lines.line(record, run.log));
    await write(out, written.join(''));
  }
  await write(out, lines.end(run, run.state.type === 'ended' ? run.state.termination : undefined));
}

/**
 * Reads the journal and the matches in parallel; both are sorted by time, and without the same secrets.
 * @throws HumanError if the file isn't a journal: its lines have no times to find the matches by
 */
async function writeJournal(out: Writable, run: RunView, records: Batches, signal: AbortSignal): Promise<void> {
  const wanted = new WantedLines(records, (seq) => run.log.store.raw(seq));
  let kept = '';
  let isJournal = false;
  for await (const line of linesOf(run)) {
    if (signal.aborted) return;
    isJournal ||= line.type !== 'other';
    if (!(await isKept(line, wanted))) continue;
    kept += `${line.text}\n`;
    if (kept.length < 64 * 1024) continue;
    await write(out, kept);
    kept = '';
  }
  if (!isJournal) throw noJournal();
  await write(out, kept);
}

async function isKept(line: RunLine, wanted: WantedLines): Promise<boolean> {
  if (line.type !== 'event') return line.type === 'header';
  return line.event.dir === 'ev' || wanted.take(line.event.t, line.event.line);
}

/** The lines of matches around the current time. */
class WantedLines {
  /** Times of lines, by time and text, or by text alone. */
  private readonly near = new Map<string, number>();
  private readUpTo = -Infinity;

  constructor(
    private readonly source: Batches,
    private readonly rawOf: (seq: number) => string | undefined,
  ) {}

  /** True if a match was read from this line of the wire. Must be called in order of time. */
  async take(at: number, line: string): Promise<boolean> {
    while (this.readUpTo <= at + spread) await this.read();
    if (this.near.size > maxNear) this.forgetBefore(at - spread);
    return this.near.has(`${at} ${line}`) || this.near.has(line);
  }

  private async read(): Promise<void> {
    const next = await this.source.next();
    if (next.done === true) {
      this.readUpTo = Infinity;
      return;
    }
    for (const { seq, receivedAt } of next.value) {
      const lines = this.rawOf(seq)?.split('\n') ?? [];
      // The lines of a stack trace are consecutive; the record has the time of the first.
      for (const line of lines) this.near.set(lines.length === 1 ? `${receivedAt} ${line}` : line, receivedAt);
      this.readUpTo = Math.max(this.readUpTo, receivedAt);
    }
  }

  private forgetBefore(time: number): void {
    for (const [line, at] of this.near) if (at < time) this.near.delete(line);
  }
}

async function* batches(matches: Matches, signal: AbortSignal, onProgress: ExportOptions['onProgress']): Batches {
  const { total } = matches.state;
  for (let from = 0; from < total && !signal.aborted; from += batch) {
    yield await matches.rows(from, Math.min(batch, total - from));
    onProgress(Math.min(1, (from + batch) / total));
    await setImmediate();
  }
}
