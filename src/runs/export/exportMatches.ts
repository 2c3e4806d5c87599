import { t } from '../../log/translator';
import { createReadStream } from 'node:fs';
import { open, realpath, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import type { LogRecord } from '../../log/record';
import { isJournalPart, readJournalLine } from '../../wire/journal/journalReader';
import { isFileRun } from '../files/fileRuns';
import { HumanError } from '../humanError';
import type { RunView } from '../runView';
import { Cancelled } from '../waiting';
import type { ExportFormat } from './exportFormat';
import { jsonLines, textLines } from './exportLines';

/** The records to export, by position. */
export interface Matches {
  readonly state: { readonly total: number };
  rows(from: number, count: number): Promise<readonly LogRecord[]>;
}

export interface MatchesOptions {
  readonly path: string;
  readonly format: ExportFormat;
  readonly token: CancellationToken;
  /** From 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

const batch = 200;
/** Maximum time between a record and its line in the journal, in milliseconds. */
const spread = 10_000;
/** Maximum number of nearby lines to keep; older ones are dropped. */
const maxNear = 10_000;

/**
 * Writes the records that match a filter to a file, in the formats of `exportRun`. A journal export has the lines that the records were read from, and
 * all process events.
 * @throws Cancelled; HumanError if there is no journal, or the file is the run's own
 */
export async function exportMatches(run: RunView, matches: Matches, options: MatchesOptions): Promise<void> {
  await run.journal?.flush();
  const sources = run.journal?.paths ?? [];
  if (options.format === 'journal' && sources.length === 0) {
    throw new HumanError(t('This run has no journal. Export its records as text or JSON lines.'));
  }
  if (options.format === 'journal' && isFileRun(run) && run.info.saved) {
    throw new HumanError(
      t('A saved session has no journal. Use **Keep a Copy…**, or export its records as text or JSON lines.'),
    );
  }
  const target = await realpath(options.path).catch(() => undefined);
  for (const source of sources) {
    if (target !== undefined && (await realpath(source).catch(() => undefined)) === target) {
      throw new HumanError(t('The run is read from this file. Export it to another one.'));
    }
  }
  const out = await open(options.path, 'w');
  try {
    if (options.format === 'journal') await writeJournal(out, run, sources, matches, options);
    else await writeRecords(out, run, matches, options);
    await out.close();
  } catch (error) {
    await out.close();
    await rm(options.path, { force: true });
    throw error;
  }
}

async function writeRecords(out: FileHandle, run: RunView, matches: Matches, options: MatchesOptions): Promise<void> {
  const lines = options.format === 'text' ? textLines : jsonLines;
  await out.write(lines.head(run));
  for await (const records of batches(matches, options)) {
    await out.write(records.map((record) => lines.line(record, run.log)).join(''));
  }
  await out.write(lines.end(run, run.state.type === 'ended' ? run.state.termination : undefined));
}

/** Reads the journal and the matches in parallel; both are sorted by time. */
async function writeJournal(
  out: FileHandle,
  run: RunView,
  sources: readonly string[],
  matches: Matches,
  options: MatchesOptions,
): Promise<void> {
  const wanted = new WantedLines(batches(matches, options), (seq) => run.log.store.raw(seq));
  for (const path of sources) {
    let kept = '';
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      const event = readJournalLine(text);
      const isKept = event ? event.dir === 'ev' || (await wanted.take(event.t, event.line)) : isHeader(text);
      if (isKept) kept += `${text}\n`;
      if (kept.length < 64 * 1024) continue;
      await out.write(kept);
      kept = '';
    }
    await out.write(kept);
  }
}

function isHeader(text: string): boolean {
  return isJournalPart(text) && text.startsWith('{"journal"');
}

/** The lines of matches around the current time. */
class WantedLines {
  /** Times of lines, by time and text, or by text alone. */
  private readonly near = new Map<string, number>();
  private readUpTo = -Infinity;

  constructor(
    private readonly source: AsyncIterator<readonly LogRecord[]>,
    private readonly rawOf: (seq: number) => string | undefined,
  ) {}

  /** True if a match was read from this line of the wire. Must be called in order of time. */
  async take(at: number, line: string): Promise<boolean> {
    while (this.readUpTo <= at + spread) await this.read();
    if (this.near.size > maxNear) this.forgetBefore(at - spread);
    return this.near.has(`${at} ${line}`) || this.near.has(line);
  }

  private async read(): Promise<void> {
    const next: IteratorResult<readonly LogRecord[], unknown> = await this.source.next();
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

async function* batches(matches: Matches, { token, onProgress }: MatchesOptions): AsyncGenerator<readonly LogRecord[]> {
  const { total } = matches.state;
  for (let from = 0; from < total; from += batch) {
    if (token.isCancellationRequested) throw new Cancelled();
    yield await matches.rows(from, Math.min(batch, total - from));
    onProgress(Math.min(1, (from + batch) / total));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
