import { createReadStream } from 'node:fs';
import { formOf } from '../agents/agents';
import type { FileRunInfo } from '../past/files/fileRunInfo';
import type { Following } from '../past/files/followFile';
import { maxLineBytes } from '../past/files/followFile';
import { readInto } from '../past/readInto';
import { messageOf } from '../text/humanError';
import type { LogReaderOptions } from '../runLog/reading/logReader';
import { LogReader } from '../runLog/reading/logReader';
import { ReadTally } from '../runLog/reading/readTally';
import { LineReader } from '../wire/lines/lineReader';
import type { TailOptions } from './commands/tail';
import type { Cli, Entry } from './context';
import { isPipe, savedSessionOf, shownName, unreadable } from './runArgument';
import type { LineFormat } from './tail/recordLines';
import { JsonFormat, TextFormat } from './tail/recordLines';
import { TailSink } from './tail/tailSink';
import { UsageError } from './usageError';

/** After this long without input, all records so far are printed, in milliseconds. */
const pauseMs = 250;

/** Prints a file's records to stdout. The exit code is 1 on failure. */
export async function tail(options: TailOptions, cli: Cli): Promise<number> {
  const format = options.json ? new JsonFormat() : new TextFormat(isColoured(cli));
  try {
    const { file, session, protocol } = options;
    const saved = protocol !== undefined || file === '-' ? undefined : await savedSessionOf(file, cli, session);
    if (saved) await printSaved(saved, options, format, cli);
    else await print(options, sinkOf(options, format, cli.printEntry, await titlesIn(options, cli)), cli);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    cli.fail(unreadable(options.file, error, 'a session'));
  }
  return cli.exitCode;
}

async function print(options: TailOptions, sink: TailSink, cli: Cli): Promise<void> {
  const tally = new ReadTally();
  const isAbandoned = (await isPipe(options.file))
    ? await readStream(options, sink, tally, cli)
    : await readFile(options, sink, tally, cli);
  await cli.flush();
  sayWhatIsMissing(options, tally, isAbandoned ? tally.gaps : tally.missing, cli);
  if (!sink.hasMissed || cli.hasGone) return;
  const names = sink.sessionNames.map((name) => `"${name}"`).join(', ');
  cli.fail(`no session is "${options.session ?? ''}". ${names === '' ? 'There are none.' : `There are ${names}.`}`);
}

function sayWhatIsMissing({ file }: TailOptions, { nothing }: ReadTally, missing: readonly string[], cli: Cli): void {
  if (cli.hasGone) return;
  if (nothing !== undefined) return cli.fail(`${shownName(file)} ${nothing}`);
  for (const what of missing) cli.warn(`not everything was read: ${what}.`);
}

async function printSaved(info: FileRunInfo, options: TailOptions, format: LineFormat, cli: Cli): Promise<void> {
  const { session, follow } = options;
  // It was chosen when its database was opened.
  const isDatabase = info.saved !== undefined && formOf(info.saved.agent).type === 'database';
  const sink = sinkOf(isDatabase ? { level: options.level } : options, format, cli.printEntry, new Map());
  const tally = new ReadTally();
  await readInto(info, sink, {
    ...readingBy(cli, follow),
    tally,
    isRunning: () => follow || (info.saved?.isRunning ?? false),
    onRestart: () => cli.warn('the session was rewritten; it is printed again.'),
    onProblem: (error) => cli.fail(`a subagent's session can't be read: ${messageOf(error)}`),
  });
  await cli.flush();
  sayWhatIsMissing(options, tally, tally.missing, cli);
  if (sink.hasMissed) cli.fail(`${info.paths[0] ?? 'the file'} has no session "${session ?? ''}".`);
}

async function readStream(
  { file, protocol }: TailOptions,
  sink: TailSink,
  tally: ReadTally,
  cli: Cli,
): Promise<boolean> {
  const reader = new LogReader(sink, { protocol, redactor: cli.redactor(), tally });
  sink.readFrom(reader);
  const lines = new LineReader(maxLineBytes);
  const timer = setInterval(() => {
    reader.pause();
    void cli.flush();
  }, pauseMs);
  for await (const chunk of file === '-' ? cli.stdin : createReadStream(file)) {
    timer.refresh();
    lines.push(chunk as Buffer);
    readLines(lines, reader);
    await cli.flush();
    if (cli.hasGone) break;
  }
  clearInterval(timer);
  readLast(lines, reader);
  reader.complete();
  if (reader.lacksEnd) tally.endMissing();
  return false;
}

/** Returns whether the process that wrote the file is gone, which was said. */
async function readFile(
  { file, follow, protocol }: TailOptions,
  sink: TailSink,
  tally: ReadTally | undefined,
  cli: Cli,
): Promise<boolean> {
  const run = { paths: [file], modifiedAt: Date.now() };
  const header = await readInto(run, sink, { ...readingBy(cli, follow), protocol, tally });
  if (!header) return false;
  const [writer, pid] = header.tap ? ['tap', header.tap.pid] : ['window', header.host?.pid];
  cli.warn(`the ${writer} that wrote this (process ${pid}) is gone; how the run ended is not known.`);
  return true;
}

/** Redacts, because only our own journals are redacted already, and the output may be public. */
function readingBy(cli: Cli, follow: boolean): Following & Pick<LogReaderOptions, 'redactor'> {
  const aborting = new AbortController();
  return {
    redactor: cli.redactor(),
    follows: () => follow,
    onSlice: async () => {
      await cli.flush();
      if (cli.hasGone) aborting.abort();
    },
    signal: aborting.signal,
  };
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
async function titlesIn(options: TailOptions, cli: Cli): Promise<ReadonlyMap<string, string>> {
  if (options.session === undefined || (await isPipe(options.file))) return new Map();
  const sink = sinkOf(options, new JsonFormat(), () => undefined, new Map());
  await readFile({ ...options, follow: false }, sink, undefined, cli);
  return sink.sessionTitles;
}

function sinkOf(
  { level, session }: Pick<TailOptions, 'level' | 'session'>,
  format: LineFormat,
  print: (entry: Entry) => void,
  titles: ReadonlyMap<string, string>,
): TailSink {
  return new TailSink({ format, level, session, print, titles });
}

/** Only on terminals, and unless it is disabled (no-color.org). */
function isColoured({ machine, isTerminal }: Cli): boolean {
  const { NO_COLOR: no, TERM: term } = machine.env;
  return isTerminal && (no === undefined || no === '') && term !== 'dumb';
}
