import { open, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { RecordStore } from '../store/store';
import type { LogRecord } from '../text/record';
import type { Termination } from '../wire/termination';
import { drained, exportFile, fileAt, noJournal, write } from './exportFile';
import type { ExportLines } from './exportLines';
import { jsonLines, textLines } from './exportLines';
import { isFileRun } from '../past/files/fileRuns';
import type { SavedRunInfo } from '../past/files/fileRunInfo';
import type { Redaction } from '../redact/redactorFor';
import { contentOf, redactorOf } from '../past/files/runLines';
import { RecordPages } from '../store/recordPages';
import { RunLog } from '../runLog/runLog';
import type { RunLogChange } from '../runLog/runLogChange';
import { RunLogSink } from '../past/files/runLogSink';
import type { RunView } from '../runLog/runView';
import type { ExportFormat } from './exportFormat';
import { Cancelled } from '../time/waiting';

/** Maximum memory for records during an export, in bytes. */
const exportMemory = 4 * 1024 * 1024;

export interface ExportOptions {
  readonly path: string;
  readonly format: ExportFormat;
  /** Secrets to redact besides those of the run. */
  readonly redaction: Redaction | undefined;
  readonly token: CancellationToken;
  /** Called with the fraction read so far, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Writes a run to a file: all of it if it has a journal, otherwise what is in memory. An existing file is only overwritten once both it and the journal
 * could be opened.
 * @throws HumanError if there is no journal to copy; or like `exportFile`
 */
export async function exportRun(run: RunView, options: ExportOptions): Promise<void> {
  const { format, path, token } = options;
  if (token.isCancellationRequested) throw new Cancelled();
  await run.journal?.flush();
  const paths = await existing(run.journal?.paths ?? []);
  if (format === 'journal' && paths.length === 0) throw noJournal();
  for (const source of paths) await (await open(source, 'r')).close();
  await exportFile(path, paths, token, async (out, signal) => {
    const saved = savedInfo(run);
    if (format !== 'journal') await writeRecords(run, paths, out, options, signal);
    else if (saved) await writeSavedJournal(run, saved, out, options, signal);
    else await copyJournal(run, paths, out, options, signal);
  });
}

function savedInfo(run: RunView): SavedRunInfo | undefined {
  const info = isFileRun(run) ? run.info : undefined;
  return info?.saved && { ...info, saved: info.saved };
}

async function writeSavedJournal(
  run: RunView,
  info: SavedRunInfo,
  out: Writable,
  { redaction, onProgress }: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const { journalOfSaved } = await import('./exportSaved');
  await journalOfSaved(info, (line) => out.write(`${line}\n`), {
    redactor: redactorOf(run.redaction, redaction),
    signal,
    onSlice: async ({ bytesRead }) => {
      onProgress(Math.min(1, bytesRead / Math.max(1, info.size)));
      await drained(out);
    },
  });
}

/** The files that still exist: the oldest parts of a large journal may have been deleted. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => fileAt(path)));
  return paths.filter((_, index) => found[index] !== undefined);
}

/** Concatenates the parts. Readers skip the headers in between. */
async function copyJournal(
  run: RunView,
  paths: readonly string[],
  out: Writable,
  { redaction, onProgress }: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const size = await sizeOf(paths);
  let copied = 0;
  for await (const part of contentOf(run, redaction)) {
    if (signal.aborted) return;
    await write(out, part);
    onProgress(Math.min(1, (copied += part.length) / size));
  }
}

/** Not 0, to divide by. */
async function sizeOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return Math.max(
    1,
    sizes.reduce((sum, one) => sum + one, 0),
  );
}

async function writeRecords(
  run: RunView,
  paths: readonly string[],
  out: Writable,
  options: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const lines = options.format === 'text' ? textLines : jsonLines;
  await write(out, lines.head(run));
  const termination =
    paths.length === 0
      ? await writeFromMemory(run, out, lines, signal)
      : await writeFromFile(run, paths, out, lines, options, signal);
  await write(out, lines.end(run, termination));
}

async function writeFromMemory(
  run: RunView,
  out: Writable,
  lines: ExportLines,
  signal: AbortSignal,
): Promise<Termination | undefined> {
  for await (const records of new RecordPages(run.log.store).oldestFirst()) {
    await write(out, records.map((record) => lines.line(record, run.log)).join(''));
    if (signal.aborted) return undefined;
  }
  return run.state.type === 'ended' ? run.state.termination : undefined;
}

async function writeFromFile(
  run: RunView,
  paths: readonly string[],
  out: Writable,
  lines: ExportLines,
  { redaction, onProgress }: ExportOptions,
  signal: AbortSignal,
): Promise<Termination | undefined> {
  const size = await sizeOf(paths);
  // A small store, because records are written as they arrive.
  const log = new RunLog(new RecordStore(exportMemory), run.startedAt);
  for (const { id } of run.log.sessions) log.store.sessionIds.add(id); // Records may name a session before it starts.
  const writer = new RecordWriter(log, lines, out);
  const sink = new RunLogSink(log, run.startedAt);
  const { readInto } = await import('../past/readInto');
  await readInto(savedInfo(run) ?? { paths, modifiedAt: run.startedAt }, sink, {
    redactor: redactorOf(run.redaction, redaction),
    onSlice: async ({ bytesRead }) => {
      log.flush();
      await writer.write();
      onProgress(Math.min(1, bytesRead / size));
    },
    signal,
  });
  log.flush();
  await writer.write();
  return sink.termination;
}

/** Writes the records of a file that is being read, in slices: a chunk of it has a thousand. */
class RecordWriter {
  private unread: RunLogChange | undefined;

  constructor(
    private readonly log: RunLog,
    private readonly lines: ExportLines,
    private readonly out: Writable,
  ) {
    log.onDidChange((change) => this.changed(change));
  }

  /** Writes those that came since the last time, and makes room for others. */
  async write(): Promise<void> {
    const { unread, log, out } = this;
    this.unread = undefined;
    if (!unread) return;
    for await (const records of new RecordPages(log.store).oldestFirst(unread.after)) {
      await write(out, this.textOf(records));
    }
    log.store.clear();
  }

  private changed(change: RunLogChange): void {
    this.unread = this.unread ? change.since(this.unread) : change;
    if (!change.isLastLook) return;
    // Only very long lines fill the store between two slices.
    this.out.write(this.textOf(this.unread.records));
    this.unread = undefined;
  }

  private textOf(records: readonly LogRecord[]): string {
    return records.map((record) => this.lines.line(record, this.log)).join('');
  }
}
