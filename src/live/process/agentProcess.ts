import { missingPart } from '../../diagnosis/failures/calls/missingThing';
import { t } from '../../text/translator';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { Emitter } from '../../text/emitter';
import type { ProcessEvent } from '../../wire/wireEvent';
import type { MissingPart } from '../../text/humanError';
import { HumanError } from '../../text/humanError';
import type { LaunchSpec } from '../config/launchSpec';
import { within } from '../../time/waiting';
import { isNotExecutable, notExecutable } from './notExecutable';
import { ProcessGroup } from './processGroup';
import type { ProcessReaper } from './processReaper';
import { signalGroup } from './processReaper';
import type { TreeProcess } from '../../machine/processTree';
import { processesBelow } from '../../machine/processTree';
import { endProcesses, endsWithin, outliving } from './endProcesses';
import { spawnable, spawnHost } from './spawnable';
import { endLeftBehind } from './windowsProcesses';

/** Timeouts of the steps of stopping, in milliseconds. */
export interface StopGrace {
  /** After closing standard input, before SIGTERM. */
  readonly close: number;
  /** After SIGTERM, before SIGKILL. */
  readonly terminate: number;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

const isWindows = process.platform === 'win32';
/** How long an agent's processes may outlive it before they are signalled, in milliseconds. */
const afterwardsMs = 100;
/** How long leftover processes may take to end after SIGTERM, in milliseconds. */
const leftBehindMs = 500;
const drainPollMs = 20;
/** How long to wait for pipes that a process outside the group keeps open, in milliseconds. */
const drainMs = 2000;

/** An agent's process, started without a shell (but see spawnable) in a new process group, so that all of it can be ended. */
export class AgentProcess {
  private readonly eventEmitter = new Emitter<ProcessEvent>();
  /** Fires when stdin is closed, a signal is sent, or processes were left behind. */
  readonly onEvent = this.eventEmitter.event;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the process itself has exited. */
  readonly gone: Promise<Exit>;
  /** Settles when the whole group has exited and its pipes are closed. */
  readonly exited: Promise<Exit>;
  /** Settles when its pipes are closed, too. */
  private readonly closed: Promise<void>;
  private readonly group: ProcessGroup;
  private ended = false;
  private skipWait: (() => void) | undefined;
  private stopping: Promise<Exit> | undefined;
  private wasTreeKilled = false;
  /** What it has started by the time it is signalled: wrappers end without it, and shells are often outside the group. */
  private below: readonly TreeProcess[] = [];

  /** @param startedAt taken before the process was started, in milliseconds since the epoch */
  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    readonly pid: number,
    private readonly startedAt: number,
    private readonly reaper: ProcessReaper,
  ) {
    ({ stdin: this.stdin, stdout: this.stdout, stderr: this.stderr } = child);
    this.group = new ProcessGroup(pid);
    this.reaper.add(pid);
    child.on('error', () => undefined); // a failed kill(): the exit event is what counts
    this.stdin.on('error', () => undefined); // EPIPE: the writer reports it to its caller
    this.gone = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
    this.closed = new Promise((resolve) => child.once('close', () => resolve()));
    this.exited = this.gone.then((exit) => this.afterExit(exit));
  }

  /**
   * Starts the process.
   * @throws HumanError if it can't be started: not found, not executable, no such folder
   */
  static async start(spec: LaunchSpec, reaper: ProcessReaper): Promise<AgentProcess> {
    const { command, args, windowsVerbatimArguments = false } = await spawnable(spec, spawnHost(spec.env, spec.cwd));
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(launchError(spec, error));
      try {
        const startedAt = Date.now();
        const child = spawn(command, args, {
          cwd: spec.cwd,
          env: spec.env,
          stdio: 'pipe',
          shell: false,
          detached: !isWindows,
          windowsHide: true,
          windowsVerbatimArguments,
        });
        child.once('error', fail);
        child.once('spawn', () => {
          child.removeListener('error', fail);
          if (child.pid === undefined) return fail(new Error('the process has no id'));
          resolve(new AgentProcess(child, child.pid, startedAt, reaper));
        });
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error))); // e.g. a NUL byte in an argument
      }
    });
  }

  get isGone(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /**
   * Closes standard input, then signals the process group: SIGTERM, then SIGKILL (MCP "Lifecycle: Shutdown" has the same order; ACP has
   * no rule). A second call skips the wait before the next step.
   */
  stop(grace: StopGrace): Promise<Exit> {
    if (this.stopping) this.skipWait?.();
    this.stopping ??= this.escalate(grace);
    return this.stopping;
  }

  private async escalate(grace: StopGrace): Promise<Exit> {
    if (this.ended) return this.exited;
    this.stdin.end();
    this.eventEmitter.fire({ ev: 'stdin-close' });
    if (await this.endsWithin(grace.close)) return this.exited;
    await this.look();
    this.signal('SIGTERM');
    if (await this.endsWithin(grace.terminate)) return this.exited;
    await this.look();
    this.signal('SIGKILL');
    return this.exited;
  }

  private async look(): Promise<void> {
    this.below = [...this.below, ...(await processesBelow(this.pid))];
  }

  private signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (isWindows && this.isGone) return; // its PID may be reused
    this.wasTreeKilled = true;
    if (signalGroup(this.pid, signal, () => this.killAlone())) this.eventEmitter.fire({ ev: 'signal', signal });
  }

  private killAlone(): void {
    this.wasTreeKilled = false;
    this.child.kill('SIGKILL');
  }

  private async endsWithin(ms: number): Promise<boolean> {
    const skipped = new Promise<void>((resolve) => (this.skipWait = resolve));
    await within(ms, Promise.race([this.exited, skipped])).catch(() => undefined);
    this.skipWait = undefined;
    return this.ended;
  }

  /** Called when the agent itself has exited: ends leftover processes in its group, and waits for the last output. */
  private async afterExit(exit: Exit): Promise<Exit> {
    if (isWindows) {
      // From now on the PID may be reused. A POSIX group keeps it as long as it has members.
      this.reaper.delete(this.pid);
      await this.endLeftBehindOnWindows(Date.now());
    } else {
      await this.endGroup();
      await this.endBelow();
    }
    await Promise.race([this.closed, this.drained()]);
    this.stdout.destroy();
    this.stderr.destroy();
    this.ended = true;
    this.reaper.delete(this.pid);
    return exit;
  }

  private async endGroup(): Promise<void> {
    const hasEnded = async (): Promise<boolean> => !(await this.group.exists());
    // Processes that end with the agent need a moment.
    if (await endsWithin(afterwardsMs, hasEnded)) return;
    this.eventEmitter.fire({ ev: 'left-behind' });
    signalGroup(this.pid, 'SIGTERM');
    if (await endsWithin(leftBehindMs, hasEnded)) return;
    signalGroup(this.pid, 'SIGKILL');
    if (await endsWithin(leftBehindMs, hasEnded)) return;
    this.eventEmitter.fire({ ev: 'left-behind', remaining: this.group.found });
  }

  /** Ends what the agent has started outside its group, if it was signalled. */
  private async endBelow(): Promise<void> {
    const left = await outliving(this.below);
    if (left.length === 0) return;
    this.eventEmitter.fire({ ev: 'left-behind' });
    const remaining = (await endProcesses(left, leftBehindMs)).map(({ pid }) => pid);
    if (remaining.length > 0) this.eventEmitter.fire({ ev: 'left-behind', remaining });
  }

  private async endLeftBehindOnWindows(exitedAt: number): Promise<void> {
    if (this.wasTreeKilled) return;
    const { pid, startedAt } = this;
    if ((await endLeftBehind({ pid, startedAt, exitedAt })) > 0) this.eventEmitter.fire({ ev: 'left-behind' });
  }

  /** Settles after enough time to read the rest. While output is paused because the disk is behind, no time passes. */
  private async drained(): Promise<void> {
    for (let left = drainMs; left > 0;) {
      await delay(drainPollMs);
      if (!this.stdout.isPaused() && !this.stderr.isPaused()) left -= drainPollMs;
      if (this.stdout.destroyed && this.stderr.destroyed) return;
    }
  }
}

function launchError(spec: LaunchSpec, error: NodeJS.ErrnoException): HumanError {
  const missing = missingPartOf(spec, error);
  if (missing) {
    // The run's diagnosis says the same.
    const { what, advice } = missingPart(missing);
    const failure = new HumanError(t('{0}. {1}', what, advice), ['settings'], { cause: error });
    failure.missing = missing;
    return failure;
  }
  const words = isNotExecutable(spec.command, spec.cwd, error)
    ? notExecutable(spec.command, 'agentLogs.agents')
    : t("Couldn't start '{0}': {1}", spec.command, error.message);
  return new HumanError(words, ['settings'], { cause: error });
}

function missingPartOf({ command, cwd }: LaunchSpec, error: NodeJS.ErrnoException): MissingPart | undefined {
  const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
  // Node gives the same code if the program is missing.
  if (isMissing && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return { type: 'folder', name: cwd };
  if (!isMissing || isNotExecutable(command, cwd, error)) return undefined;
  return { type: command.includes('/') && existsSync(command) ? 'interpreter' : 'program', name: command };
}
