import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { messageOf } from '../text/humanError';
import { contentLengthFraming, lineFraming } from '../wire/lines/framing';
import type { ReplayOptions } from './commands/replay';
import type { Cli } from './context';
import { passExit } from './tap/relay/passExit';
import { readRecording } from './replay/recording';
import { Player } from './replay/player';
import type { RecordedExit } from './replay/script';
import { scriptOf } from './replay/script';
import { playStream } from './replay/streamPlayer';
import { runOf } from './runArgument';
import { UsageError } from './usageError';

/** Maximum length of a client's message, in bytes. */
const maxMessageBytes = 64 * 1024 * 1024;
const failedExit = 1;
const signalNumbers: Readonly<Record<string, number | undefined>> = constants.signals;
const pausing: ReadonlySet<string> = new Set(['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU']);
const usageExit = 2;

/** Speaks as the recorded agent. The exit code is that of the recording, 1 if the client sent what isn't in it, or 2 if it can't be read. */
export async function replay(options: ReplayOptions, cli: Cli): Promise<number | undefined> {
  try {
    await play(options, cli);
    return undefined;
  } catch (error) {
    cli.fail(error instanceof UsageError ? error.message : `${options.run} cannot be read: ${messageOf(error)}`);
    return usageExit;
  }
}

async function play({ run, speed, loose }: ReplayOptions, cli: Cli): Promise<void> {
  const info = await runOf(run, cli);
  const files = {
    journal: { path: info.paths.at(-1), paths: info.paths, flush: nothing, delete: nothing },
    redaction: cli.redaction,
  };
  const recording = await readRecording({ ...info, name: run }, files);
  for (const what of recording.missing) cli.warn(`the recording is incomplete: ${what}.`);
  const framing = recording.protocol === 'lsp' ? contentLengthFraming : lineFraming;
  const send = (text: string): void => cli.write(framing.frame(text));
  const stderr = (line: string): void => cli.writeError(line);
  let leaving: Promise<void> | undefined;
  // The first exit counts: the client may close stdin meanwhile.
  const leave = (exit: RecordedExit): void => void (leaving ??= leaveAs(exit, cli));
  const messages = framing.newReader(maxMessageBytes);
  if (recording.protocol === 'stream-json') {
    const lines = linesOf(cli.stdin);
    const exit = await playStream(recording.events, {
      speed,
      send,
      stderr,
      input: async () => !(await lines.next()).done,
    });
    leave(exit ?? unknownExit);
    return;
  }
  const script = scriptOf(recording.events);
  const redactor = cli.redactor();
  const player = new Player(script, {
    speed,
    loose,
    redacted: (text) => redactor.line(text),
    send,
    refused: (text) => cli.warn(text),
    stderr,
    exit: leave,
  });
  player.start();
  for await (const chunk of cli.stdin) {
    messages.push(chunk as Buffer);
    for (let line = messages.next(); line; line = messages.next()) player.accept(line.text);
  }
  const last = messages.end();
  if (last) player.accept(last.text);
  await player.close();
  leave(player.unexpected > 0 ? { code: failedExit, signal: null } : (script.exit ?? unknownExit));
}

/** What the recording doesn't say was a success. */
const unknownExit: RecordedExit = { code: 0, signal: null };

/** Exits like the agent when everything is written: with the same code, or by the same signal. */
async function leaveAs({ code, signal }: RecordedExit, cli: Cli): Promise<void> {
  await cli.flush();
  // A client that has closed the pipe has what it wants.
  if (cli.exitCode > 0) passExit({ code: failedExit, signal: null });
  else if (signal === null) passExit({ code, signal });
  // A signal of another system, or one that doesn't end a process.
  else if (signalNumbers[signal] === undefined || pausing.has(signal)) passExit({ code: failedExit, signal: null });
  else passExit({ code: null, signal: signal as NodeJS.Signals });
}

async function* linesOf(input: Readable): AsyncGenerator<string, void> {
  const reader = lineFraming.newReader(maxMessageBytes);
  for await (const chunk of input) {
    reader.push(chunk as Buffer);
    for (let line = reader.next(); line; line = reader.next()) yield line.text;
  }
  const last = reader.end();
  if (last) yield last.text;
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
