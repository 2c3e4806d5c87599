import { t } from '../../log/translator';
import { createReadStream } from 'node:fs';
import { lstat, open, realpath, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { RecordStore } from '../../log/store/store';
import type { Termination } from '../../log/termination';
import type { ExportLines } from './exportLines';
import { jsonLines, textLines } from './exportLines';
import { isFileRun } from '../files/fileRuns';
import type { FileRunInfo } from '../files/fileRunInfo';
import { followFile, maxLineBytes } from '../files/followFile';
import { HumanError, messageOf } from '../humanError';
import type { RedactorOptions } from '../../log/redact/redactor';
import { RunLog } from '../runLog';
import { RunLogSink } from '../files/runLogSink';
import type { RunView } from '../runView';
import type { ExportFormat } from './exportFormat';
import { Cancelled } from '../waiting';

/** Maximum memory for records during an export, in bytes. */
const exportMemory = 4 * 1024 * 1024;

export interface ExportOptions {
  readonly path: string;
  readonly format: ExportFormat;
  /** Secrets to redact; nothing is redacted if omitted. */
  readonly redaction?: RedactorOptions;
  readonly token: CancellationToken;
  /** Called with the fraction read so far, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Writes a run to a file: all of it if it has a journal, otherwise what is in memory. A failed or cancelled export leaves no file; an existing file is
 * only overwritten once both it and the journal could be opened.
 * @throws Cancelled; HumanError if there is no journal to copy, the file is the run's own, or a partial file couldn't be removed; or file system errors
 */
export async function exportRun(run: RunView, options: ExportOptions): Promise<void> {
  if (options.token.isCancellationRequested) throw new Cancelled();
  await run.journal?.flush();
  const paths = await existing(run.journal?.paths ?? []);
  if (options.format === 'journal' && paths.length === 0) {
    throw new HumanError(t('This run has no journal. Export its records as text or JSON lines.'));
  }
  if (await isOneOf(options.path, paths)) {
    throw new HumanError(t('The run is read from this file. Export it to another one.'));
  }
  for (const path of paths) await (await open(path, 'r')).close();
  const out = (await open(options.path, 'w')).createWriteStream();
  try {
    await writeTo(out, run, paths, options);
  } catch (error) {
    out.destroy();
    if (await isRemoved(options.path)) throw error;
    throw new HumanError(t('{0} is incomplete: {1}', options.path, messageOf(error)), [], { cause: error });
  }
}

async function writeTo(out: Writable, run: RunView, paths: readonly string[], options: ExportOptions): Promise<void> {
  const aborting = new AbortController();
  const done = finished(out);
  // Stop reading if the disk is full.
  done.catch(() => aborting.abort());
  const listener = options.token.onCancellationRequested(() => aborting.abort());
  try {
    const saved = savedInfo(run);
    if (options.format !== 'journal') await writeRecords(run, paths, out, options, aborting.signal);
    else if (saved) await writeSavedJournal(saved, out, options, aborting.signal);
    else await copyJournal(paths, out, aborting.signal);
    if (options.token.isCancellationRequested) throw new Cancelled();
    out.end();
    await done;
  } finally {
    listener.dispose();
  }
}

function savedInfo(run: RunView): FileRunInfo | undefined {
  return isFileRun(run) && run.info.saved ? run.info : undefined;
}

async function writeSavedJournal(
  info: FileRunInfo,
  out: Writable,
  { redaction, onProgress }: ExportOptions,
  signal: AbortSignal,
): Promise<void> {
  const { journalOfSaved } = await import('./exportSaved');
  await journalOfSaved(info, (line) => out.write(`${line}\n`), {
    redaction,
    signal,
    onSlice: async (bytesRead) => {
      onProgress(Math.min(1, bytesRead / Math.max(1, info.size)));
      await drained(out);
    },
  });
}

/** Removes a partial file. Devices and links are left alone. */
async function isRemoved(path: string): Promise<boolean> {
  try {
    if (!(await lstat(path)).isFile()) return false;
    await rm(path);
    return true;
  } catch {
    return false;
  }
}

/** The files that still exist: the oldest parts of a large journal may have been deleted. */
async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => fileAt(path)));
  return paths.filter((_, index) => found[index] !== undefined);
}

async function isOneOf(path: string, paths: readonly string[]): Promise<boolean> {
  const target = await fileAt(path);
  if (target === undefined) return false;
  return (await Promise.all(paths.map((source) => fileAt(source)))).includes(target);
}

/** The canonical path of a file; `undefined` if it doesn't exist. */
function fileAt(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Concatenates the parts. Readers skip the headers in between. */
async function copyJournal(paths: readonly string[], out: Writable, signal: AbortSignal): Promise<void> {
  for (const path of paths) {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      if (signal.aborted) return;
      await write(out, chunk as Buffer);
    }
  }
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
      ? await writeFromMemory(run, out, lines)
      : await writeFromFile(run, paths, out, lines, options, signal);
  await write(out, lines.end(run, termination));
}

async function writeFromMemory(run: RunView, out: Writable, lines: ExportLines): Promise<Termination | undefined> {
  for (const record of run.log.store.query()) await write(out, lines.line(record, run.log));
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
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const size = Math.max(
    1,
    sizes.reduce((sum, one) => sum + one, 0),
  );
  // A small store, because records are written as they arrive.
  const log = new RunLog(new RecordStore(exportMemory), run.startedAt);
  for (const { id } of run.log.sessions) log.store.sessionIds.add(id); // Records may name a session before it starts.
  log.onDidChange(({ records }) => out.write(records.map((record) => lines.line(record, log)).join('')));
  const sink = new RunLogSink(log, run.startedAt);
  const onSlice = async (bytesRead: number): Promise<void> => {
    log.flush();
    onProgress(Math.min(1, bytesRead / size));
    await drained(out);
  };
  const saved = savedInfo(run);
  if (saved) {
    await (await import('./exportSaved')).readSaved(saved, sink, { redaction, onSlice, signal });
    log.flush();
    return undefined;
  }
  const { LogReader } = await import('../reading/logReader');
  const { Redactor } = await import('../../log/redact/redactor');
  const reader = new LogReader(sink, { redactor: redaction && new Redactor(redaction) });
  await followFile({
    path: paths[0] ?? '',
    reader,
    maxLineBytes,
    timeOf: () => run.startedAt,
    follows: () => false,
    onSlice: ({ bytesRead }) => onSlice(bytesRead),
    signal,
  });
  reader.complete();
  log.flush();
  return sink.termination;
}

async function write(out: Writable, data: string | Buffer): Promise<void> {
  out.write(data);
  await drained(out);
}

/** Waits until the disk catches up. Errors are reported when the stream ends. */
async function drained(out: Writable): Promise<void> {
  if (!out.writableNeedDrain || out.destroyed) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      out.off('drain', settle).off('close', settle);
      resolve();
    };
    out.on('drain', settle).on('close', settle);
  });
}
