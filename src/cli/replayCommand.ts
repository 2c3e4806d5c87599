import type { Readable } from 'node:stream';
import { Redactor } from '../redact/redactor';
import { messageOf } from '../text/humanError';
import { contentLengthFraming, lineFraming } from '../wire/lines/framing';
import type { ReplayOptions } from './commandLine';
import { passExit } from './tap/relay/passExit';
import { readRecording } from './replay/recording';
import { Player } from './replay/player';
import type { RecordedExit } from './replay/script';
import { scriptOf } from './replay/script';
import { playStream } from './replay/streamPlayer';
import { runOf } from './runArgument';
import { fail } from './tail/output';
import { UsageError } from './usageError';

/** Maximum length of a client's message, in bytes. */
const maxMessageBytes = 64 * 1024 * 1024;
const failedExit = 1;
const usageExit = 2;

/** Speaks as the recorded agent. The exit code is that of the recording, 1 if the client sent what isn't in it, or 2 if it can't be read. */
export async function replay(options: ReplayOptions): Promise<void> {
  try {
    await play(options);
  } catch (error) {
    fail(error instanceof UsageError ? error.message : `${options.run} cannot be read: ${messageOf(error)}`);
    process.exitCode = usageExit;
  }
}

async function play({ run, speed, loose }: ReplayOptions): Promise<void> {
  const info = await runOf(run);
  const files = {
    journal: { path: info.paths.at(-1), paths: info.paths, flush: nothing, delete: nothing },
    redaction: {},
  };
  const recording = await readRecording(info, files);
  const framing = recording.protocol === 'lsp' ? contentLengthFraming : lineFraming;
  const send = (text: string): void => void process.stdout.write(framing.frame(text));
  const stderr = (line: string): void => void process.stderr.write(`${line}\n`);
  process.stdout.on('error', () => process.exit(failedExit));
  const messages = framing.newReader(maxMessageBytes);
  if (recording.protocol === 'stream-json') {
    const lines = linesOf(process.stdin);
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
  if (script.cut > 0) stderr(`agent-logs: ${script.cut} messages were too long for the journal and are left out.`);
  const redactor = new Redactor();
  const player = new Player(script, {
    speed,
    loose,
    redacted: (text) => redactor.line(text),
    send,
    stderr,
    exit: leave,
  });
  player.start();
  for await (const chunk of process.stdin) {
    messages.push(chunk as Buffer);
    for (let line = messages.next(); line; line = messages.next()) player.accept(line.text);
  }
  await player.close();
  leave(player.unexpected > 0 ? { code: failedExit, signal: null } : (script.exit ?? unknownExit));
}

/** What the recording doesn't say was a success. */
const unknownExit: RecordedExit = { code: 0, signal: null };

/** Exits when everything is written. An agent that its client ended by a signal has exited properly here. */
function leave({ code, signal }: RecordedExit): void {
  process.stdout.write('', () => passExit({ code: signal === null ? code : 0, signal: null }));
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
