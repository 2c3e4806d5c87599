import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { inEnglish } from '../../text/translator';
import { tapPatternsFile } from '../../live/config/tapPatterns';
import { isNotExecutable, notExecutable } from '../../live/process/notExecutable';
import { tapFolder } from '../../wire/journal/tapFolder';
import type { TapOptions } from '../commands/tap';
import type { Running } from '../terminalCommand';
import type { JournalPlace, ThreadSpec } from './journal/threadMessage';
import { ThreadObserver } from './journal/threadObserver';
import { loggingFilters } from './relay/loggingFilters';
import { passExit } from './relay/passExit';
import { runRelayed, workingFolder } from './relay/relayedAgent';
import { standardStreams } from './relay/standardStreams';

/** How much may wait for the journal's thread, in bytes. */
const maxWaiting = 64 * 1024 * 1024;
/** How long to wait for the journal, its thread, and a message on stderr, in milliseconds. Without its thread, the agent's exit code is lost. */
const closeGrace = 10_000;
const endGrace = 10_000;
const reportGrace = 500;
/** How long a check may take after the agent has ended, in milliseconds. */
const checkGrace = 60_000;
/** Exit codes of shells for a command that isn't found or can't be executed (POSIX Shell Command Language section 2.8.2). */
const notFoundExit = 127;
const notExecutableExit = 126;

/**
 * Runs the agent between the client's streams, and exits as it exits.
 * @throws UsageError if there are no such checks
 */
export async function tap(options: TapOptions, { open, program }: Running): Promise<undefined> {
  if (options.check !== undefined) await (await import('../check/checksFile')).readChecks(options.check);
  const streams = standardStreams();
  const report = async (message: string): Promise<void> =>
    written(streams.stderr, `agent-logs: ${(await open()).shown(message)}\n`);
  let reported = Promise.resolve();
  const thread = new Worker(program, { workerData: specOf(options), stdout: true, stderr: true });
  const checking = options.check === undefined ? undefined : new RunCheck(program, options.check);
  const observer = new ThreadObserver(thread, {
    onOpened: (path) => checking?.start(path),
    now: Date.now,
    maxWaiting,
    closeGrace,
    endGrace,
    onProblem: (message) => {
      const { name, journal } = options;
      const remedy = `Give another place with --${journal === undefined ? 'folder' : 'journal'}.`;
      reported = report(`the journal cannot be written: ${message}. ${name} runs on without. ${remedy}`);
    },
    onWarning: (message) => {
      reported = report(message);
    },
    onUnfinished: () => {
      reported = report(
        `the journal was not finished ${closeGrace / 1000} s after ${options.name} ended: its last lines are missing.`,
      );
    },
  });
  try {
    const filters = options.level === undefined ? {} : loggingFilters(options.level);
    const exit = await runRelayed(options.command, streams, observer, filters);
    const hasEnded = await observer.close();
    await reported;
    if (exit.remaining) {
      await report(`${options.name} left processes running that can't be ended: ${exit.remaining.join(', ')}.`);
    }
    const failure = await checking?.failure();
    if (!hasEnded) endHard();
    passExit(failure !== undefined && exit.code === 0 ? { ...exit, code: failure } : exit);
  } catch (error) {
    const reason: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
    const message = spawnError(options.command[0] ?? '', reason);
    observer.event({ ev: 'start-failed', message });
    const hasEnded = await observer.close();
    await report(message);
    await checking?.failure();
    if (!hasEnded) endHard();
    process.exit(isNotExecutable(options.command[0] ?? '', '.', reason) ? notExecutableExit : notFoundExit);
  }
}

/** Checks the run in a process of its own, so that the relay never waits for it. */
class RunCheck {
  private child: ChildProcess | undefined;
  private exited: Promise<number> | undefined;

  constructor(
    private readonly program: string,
    private readonly checks: string,
  ) {}

  /** Its report goes to stderr: stdout is the agent's. */
  start(journal: string): void {
    const words = [this.program, 'check', this.checks, journal, '--follow'];
    // In a group of its own: Ctrl+C ends the agent, and the report says how that went.
    const child = spawn(process.execPath, words, { stdio: ['ignore', 2, 2], detached: true });
    this.child = child;
    this.exited = new Promise((resolve) => {
      child.once('error', () => resolve(1));
      child.once('exit', (code) => resolve(code ?? 1));
    });
  }

  /** The exit code of a check that failed, or couldn't be made. */
  async failure(): Promise<number | undefined> {
    if (!this.exited) return 1; // there is no journal
    const timer = setTimeout(() => this.child?.kill(), checkGrace);
    const code = await this.exited;
    clearTimeout(timer);
    return code === 0 ? undefined : code;
  }
}

/** For a thread that hangs in a system call: any other exit would wait for it, and the parent process would never get an exit code. */
function endHard(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Why a command couldn't be started, and what to do. */
function spawnError(command: string, error: NodeJS.ErrnoException): string {
  if (!statSync('.', { throwIfNoEntry: false })) {
    return 'The current folder no longer exists. Start the client in another folder.';
  }
  if (isNotExecutable(command, '.', error)) {
    if (statSync(command, { throwIfNoEntry: false })?.isDirectory() === true) {
      return `'${command}' is a folder. Name the program in it after --.`;
    }
    return inEnglish(notExecutable(command, 'the command after --'));
  }
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') return `Couldn't start '${command}': ${error.message}`;
  if (command.includes('/') && existsSync(command)) {
    return `Couldn't start '${command}': the interpreter in its first line doesn't exist.`;
  }
  if (/\s/.test(command)) {
    return `The command '${command}' was not found. Don't quote the program and its arguments together.`;
  }
  return `The command '${command}' was not found. Install it, or set its full path after --.`;
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
  const [, program] = process.argv;
  return tapFolder({ platform: process.platform, env: process.env, home: homedir(), program });
}

/** Resolves when the text is written, or can't be. */
function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve();
    stream.once('error', () => resolve());
    stream.write(text, () => resolve());
    setTimeout(resolve, reportGrace);
  });
}
