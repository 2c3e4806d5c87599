import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { tapPatternsFile } from '../runs/config/tapPatterns';
import { tapFolder } from '../wire/journal/tapFolder';
import type { TapOptions } from './commandLine';
import type { JournalPlace, ThreadSpec } from './journal/threadMessage';
import { ThreadObserver } from './journal/threadObserver';
import { loggingFilters } from './relay/loggingFilters';
import { passExit } from './relay/passExit';
import { runRelayed } from './relay/relayedAgent';
import { isNotExecutable } from '../runs/process/notExecutable';
import { spawnError } from './relay/spawnError';
import { standardStreams } from './relay/standardStreams';
import { workingFolder } from './relay/workingFolder';

/** In bytes. */
const maxWaiting = 64 * 1024 * 1024;
/** In milliseconds. */
const closeGrace = 10_000;
const endGrace = 1000;
const tellGrace = 500;
/** What shells answer for a command that is not found, and for one that is not for us to execute (POSIX Shell Command Language section 2.8.2). */
const notFound = 127;
const notExecutable = 126;

/**
 * Runs the agent between the client's streams, and ends as it ends.
 * @param program the file that this runs from, which has the journal's thread too
 */
export async function tap(options: TapOptions, program: string): Promise<void> {
  const streams = standardStreams();
  const tell = (message: string): Promise<void> => written(streams.stderr, `agent-logs: ${message}\n`);
  let told = Promise.resolve();
  const thread = new Worker(program, { workerData: specOf(options), stdout: true, stderr: true });
  const observer = new ThreadObserver(thread, {
    now: Date.now,
    maxWaiting,
    closeGrace,
    endGrace,
    onProblem: (message) => {
      const { name, journal } = options;
      const remedy = `Give another place with --${journal === undefined ? 'folder' : 'journal'}.`;
      told = tell(`the journal cannot be written: ${message}. ${name} runs on without. ${remedy}`);
    },
    onWarning: (message) => {
      told = tell(message);
    },
    onUnfinished: () => {
      told = tell(
        `the journal was not finished ${closeGrace / 1000} s after ${options.name} ended: its last lines are missing.`,
      );
    },
  });
  try {
    const filters = options.level === undefined ? {} : loggingFilters(options.level);
    const exit = await runRelayed(options.command, streams, observer, filters);
    const hasEnded = await observer.close();
    await told;
    if (!hasEnded) endHard();
    passExit(exit);
  } catch (error) {
    const reason: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
    const message = spawnError(options.command[0] ?? '', reason);
    observer.event({ ev: 'start-failed', message });
    const hasEnded = await observer.close();
    await tell(message);
    if (!hasEnded) endHard();
    process.exit(isNotExecutable(options.command[0] ?? '', '.', reason) ? notExecutable : notFound);
  }
}

/** The system keeps a thread waiting. Any other way to end would wait for it, and our parent would never learn the exit code. */
function endHard(): void {
  process.kill(process.pid, 'SIGKILL');
}

function specOf({ name, protocol, command, level, journal, folder, secretEnv = [] }: TapOptions): ThreadSpec {
  const place: JournalPlace =
    journal === undefined
      ? { type: 'folder', path: resolve(workingFolder(), folder ?? defaultFolder()), runId: randomUUID() }
      : { type: 'file', path: resolve(workingFolder(), journal) };
  return {
    agent: name,
    ...(protocol !== undefined && { protocol }),
    command,
    cwd: workingFolder(),
    pid: process.pid,
    ...(level !== undefined && { level }),
    startedAt: Date.now(),
    place,
    secretEnv,
    patternsFile: tapPatternsFile(defaultFolder()),
  };
}

function defaultFolder(): string {
  return tapFolder({ platform: process.platform, env: process.env, home: homedir() });
}

/** Settles when it is written, or can't be. */
function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve();
    stream.once('error', () => resolve());
    stream.write(text, () => resolve());
    setTimeout(resolve, tellGrace);
  });
}
