import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Redactor } from '../redact/redactor';
import type { FileRunInfo } from '../past/files/fileRunInfo';
import { followFile } from '../past/files/followFile';
import { messageOf } from '../text/humanError';
import { followMembers } from '../past/saved/followMembers';
import type { LogReaderOptions } from '../runLog/reading/logReader';
import { LogReader } from '../runLog/reading/logReader';
import { ReadTally } from '../runLog/reading/readTally';
import { LineReader } from '../wire/lines/lineReader';
import type { TailOptions } from './commandLine';
import { savedSessionOf } from './runArgument';
import { fail, Output } from './tail/output';
import type { LineFormat } from './tail/recordLines';
import { JsonFormat, TextFormat } from './tail/recordLines';
import { TailSink } from './tail/tailSink';

/** Maximum line length, in bytes. */
const maxLineBytes = 64 * 1024 * 1024;
/** After this long without input, all records so far are printed, in milliseconds. */
const pauseMs = 250;

/** Prints a file's records to stdout. The exit code is 1 on failure. */
export async function tail(options: TailOptions): Promise<void> {
  const output = new Output(process.stdout, (error) => fail(`standard output cannot be written: ${error.message}`));
  const format = options.json ? new JsonFormat() : new TextFormat(isColoured());
  try {
    const { file, session, protocol } = options;
    const saved = protocol !== undefined || file === '-' ? undefined : await savedSessionOf(file, session);
    if (saved) await printSaved(saved, options, format, output);
    else await print(options, sinkOf(options, format, output.print, await titlesIn(options)), output);
  } catch (error) {
    fail(fileError(options.file, error instanceof Error ? error : new Error(String(error))));
  }
  // Don't wait for watchers or reads that are still open.
  process.exit();
}

async function print(options: TailOptions, sink: TailSink, output: Output): Promise<void> {
  const tally = new ReadTally();
  const reader = readerOf(options, sink, tally);
  sink.readFrom(reader);
  await ((await isStream(options.file)) ? readStream(options.file, reader, output) : readFile(options, reader, output));
  reader.complete();
  await output.flush();
  if (tally.nothing !== undefined && !output.hasGone) {
    fail(`${options.file === '-' ? 'standard input' : options.file} ${tally.nothing}`);
  }
  if (!sink.hasMissed || output.hasGone) return;
  const names = sink.sessionNames.map((name) => `"${name}"`).join(', ');
  fail(`no session is "${options.session ?? ''}". ${names === '' ? 'There are none.' : `There are ${names}.`}`);
}

async function printSaved(
  { saved, modifiedAt, paths }: FileRunInfo,
  options: TailOptions,
  format: LineFormat,
  output: Output,
): Promise<void> {
  const { session, ...whole } = options;
  const isDatabase = session !== undefined && saved?.sessionId === session;
  const sink = sinkOf(isDatabase ? whole : options, format, output.print, new Map());
  sink.readFrom({ hasArrivalTimes: true });
  const stopping = new AbortController();
  await followMembers({
    members: () => saved?.members() ?? Promise.resolve([]),
    newReader: () => readerOf({ protocol: 'saved' }, sink),
    timeOf: () => modifiedAt,
    follows: () => options.follow,
    isRunning: () => options.follow || (saved?.isRunning ?? false),
    onSlice: async () => {
      await output.flush();
      if (output.hasGone) stopping.abort();
    },
    onRestart: () => process.stderr.write('agent-logs: the session was rewritten; it is printed again.\n'),
    onProblem: (error) => fail(`a subagent's session can't be read: ${messageOf(error)}`),
    signal: stopping.signal,
  });
  await output.flush();
  if (sink.hasMissed) fail(`${paths[0] ?? 'the file'} has no session "${session ?? ''}".`);
}

/** Whether it can be read only once and in order, like a pipe of `<(COMMAND)`. */
async function isStream(file: string): Promise<boolean> {
  if (file === '-') return true;
  const known = await stat(file);
  return !known.isFile() && !known.isDirectory();
}

async function readStream(file: string, reader: LogReader, output: Output): Promise<void> {
  const lines = new LineReader(maxLineBytes);
  const timer = setInterval(() => {
    reader.pause();
    void output.flush();
  }, pauseMs);
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
    timer.refresh();
    lines.push(chunk as Buffer);
    readLines(lines, reader);
    await output.flush();
    if (output.hasGone) break;
  }
  clearInterval(timer);
  readLast(lines, reader);
}

async function readFile({ file, follow }: TailOptions, reader: LogReader, output: Output): Promise<void> {
  const aborting = new AbortController();
  const end = await followFile({
    path: file,
    reader,
    maxLineBytes,
    timeOf: Date.now,
    follows: () => follow,
    onSlice: async () => {
      await output.flush();
      if (output.hasGone) aborting.abort();
    },
    signal: aborting.signal,
  });
  if (end === 'abandoned') {
    const [writer, pid] = reader.header?.tap ? ['tap', reader.header.tap.pid] : ['window', reader.header?.host?.pid];
    process.stderr.write(
      `agent-logs: the ${writer} that wrote this (process ${pid}) is gone; how the run ended is not known.\n`,
    );
  }
}

function readLines(lines: LineReader, reader: LogReader): void {
  for (let line = lines.next(); line; line = lines.next()) reader.line(line, Date.now());
  reader.flush();
}

function readLast(lines: LineReader, reader: LogReader): void {
  const last = lines.end();
  if (last) reader.line(last, Date.now());
}

/** Titles of all sessions: one may be set long after the session's first record, so filtering by title needs to read the file first. */
async function titlesIn(options: TailOptions): Promise<ReadonlyMap<string, string>> {
  if (options.session === undefined || (await isStream(options.file))) return new Map();
  const ignored = new Output(process.stderr, () => undefined);
  const sink = sinkOf(options, new JsonFormat(), () => undefined, new Map());
  await readFile({ ...options, follow: false }, readerOf(options, sink), ignored);
  return sink.sessionTitles;
}

/** Redacts, because only our own journals are redacted already, and the output may be public. */
function readerOf({ protocol }: Pick<LogReaderOptions, 'protocol'>, sink: TailSink, tally?: ReadTally): LogReader {
  return new LogReader(sink, { protocol, redactor: new Redactor(), tally });
}

function sinkOf(
  { level, session }: TailOptions,
  format: LineFormat,
  print: (line: string) => void,
  titles: ReadonlyMap<string, string>,
): TailSink {
  return new TailSink({ format, level, session, print, titles });
}

/** Only on terminals, and unless it is disabled (no-color.org). */
function isColoured(): boolean {
  const { NO_COLOR: no, TERM: term } = process.env;
  return process.stdout.isTTY && (no === undefined || no === '') && term !== 'dumb';
}

function fileError(file: string, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return `${file} does not exist. Name a journal, an agent's stream or a log.`;
    case 'EISDIR':
      return `${file} is a folder. Name one of the files in it.`;
    case 'EACCES':
      return `${file} cannot be read: its permissions do not allow you to.`;
    default:
      return `${file} cannot be read: ${error.message}`;
  }
}
