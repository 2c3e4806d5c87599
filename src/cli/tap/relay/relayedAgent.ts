import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { endProcesses, outliving } from '../../../live/process/endProcesses';
import { ProcessGuardian } from '../../../live/process/processGuardian';
import { spawnable, spawnHost } from '../../../live/process/spawnable';
import type { TreeProcess } from '../../../machine/processTree';
import { processesBelow } from '../../../machine/processTree';
import type { ProcessEvent } from '../../../wire/wireEvent';
import { endLeftOutput } from './leftOutput';
import type { ByteFilter } from './relay';
import { relay } from './relay';
import type { StandardStreams } from './standardStreams';

/** How a process ended. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The processes that it left behind and that can't be ended, by their PIDs. */
  readonly remaining?: readonly number[];
}

/** Gets the relayed bytes and changes of the process. It must not throw or block. */
export interface RelayObserver {
  chunk(dir: 'c2a' | 'a2c' | 'err', chunk: Buffer): void;
  event(event: ProcessEvent): void;
}

export interface RelayFilters {
  readonly c2a?: ByteFilter;
  readonly a2c?: ByteFilter;
}

/** Signals that ask an agent to exit. */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** Signals whose meaning is up to the agent. By default, the first starts Node's debugger. */
const other = ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGCONT', 'SIGWINCH'] as const;
/** On Windows, the others can't be sent to another process. */
const passedOn = process.platform === 'win32' ? ending : [...ending, ...other];
/** Signals that a terminal doesn't send. It sends the others to the agent as well. */
const neverFromTerminal = new Set<string>(['SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM']);
/** After how much silence the output that others keep open is closed, in milliseconds. A client that asked the agent to end waits for less. */
const silence = 2000;
const silenceWhenAsked = 250;
/** How long an agent usually takes to exit after it closed stdout, in milliseconds. */
const closedStdoutGrace = 500;
/** How long an agent may go on after SIGTERM before it is killed, and what it leaves behind after that, in milliseconds. */
const deafGrace = 5000;
const leftGrace = 2000;

/**
 * Runs an agent between these streams until it has exited and all of its output is passed on.
 * @throws the error of `spawn` if it can't be started
 */
export async function runRelayed(
  command: readonly string[],
  streams: StandardStreams,
  observer: RelayObserver,
  filters: RelayFilters = {},
): Promise<AgentExit> {
  const [program = '', ...args] = command;
  const agent = await started(program, args);
  const pid = agent.pid ?? 0;
  // If the tap is killed, the agent only sees the end of stdin, which it may ignore.
  const guardian = new ProcessGuardian();
  if (pid > 0) guardian.watch(pid);
  observer.event({ ev: 'spawn', pid, command, cwd: workingFolder() });
  const exited = new Promise<AgentExit>((resolve) => {
    agent.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const signals = passSignals(agent, streams, observer);
  // The journal contains what the agent received and what it wrote.
  void relay(streams.stdin, agent.stdin, {
    onWritten: (chunk) => observer.chunk('c2a', chunk),
    filter: filters.c2a,
  }).then((end) => {
    if (end === 'ended') observer.event({ ev: 'stdin-close' });
  });
  const stdout = relay(agent.stdout, streams.stdout, {
    onRead: (chunk) => observer.chunk('a2c', chunk),
    filter: filters.a2c,
  });
  const stderr = relay(agent.stderr, streams.stderr, {
    onRead: (chunk) => observer.chunk('err', chunk),
    keepOpen: true, // for messages from the tap
  });
  const closedStdout = reportClosedStdout(agent.stdout, observer);
  const exit = await exited;
  guardian.release(pid);
  guardian.dispose();
  closedStdout.stop();
  const left = endLeft(await signals.below(), observer);
  const quiet = signals.hasAsked() ? silenceWhenAsked : silence;
  const rest = endLeftOutput(
    { output: agent.stdout, client: streams.stdout },
    { output: agent.stderr, client: streams.stderr },
    quiet,
  );
  // A client may read slowly, but one that never reads stderr must not keep the tap alive.
  await Promise.race([Promise.all([stdout, Promise.race([stderr, rest.unread])]), signals.afterEnd]);
  rest.stop();
  signals.stop();
  const remaining = await left;
  observer.event({ ev: 'exit', ...exit });
  return { ...exit, ...(remaining.length > 0 && { remaining }) };
}

/** Ends what a signalled agent has started and left behind, as wrappers do. Returns the PIDs of what can't be ended. */
async function endLeft(below: readonly TreeProcess[], observer: RelayObserver): Promise<readonly number[]> {
  const left = await outliving(below);
  if (left.length === 0) return [];
  const guardian = new ProcessGuardian();
  for (const { pid } of left) guardian.watch(pid);
  observer.event({ ev: 'left-behind' });
  const remaining = (await endProcesses(left, leftGrace)).map(({ pid }) => pid);
  for (const { pid } of left) guardian.release(pid);
  guardian.dispose();
  if (remaining.length > 0) observer.event({ ev: 'left-behind', remaining });
  return remaining;
}

async function started(program: string, words: readonly string[]): Promise<ChildProcessWithoutNullStreams> {
  const host = spawnHost(process.env, workingFolder());
  const { command, args, windowsVerbatimArguments = false } = await spawnable({ command: program, args: words }, host);
  return new Promise((resolve, reject) => {
    // In our process group, so that a signal to the group also reaches the agent, even SIGKILL, which can't be passed on. Other signals to the
    // group reach the agent twice, which is better than leaving it behind.
    const child = spawn(command, args, { stdio: 'pipe', windowsHide: true, windowsVerbatimArguments });
    child.once('spawn', () => resolve(child));
    child.on('error', reject); // also for a failed kill() later, which can be ignored
  });
}

function asksToEnd(signal: NodeJS.Signals): boolean {
  return signal === 'SIGKILL' || ending.some((one) => one === signal);
}

interface PassedSignals {
  /** Whether the agent was asked to end. */
  hasAsked(): boolean;
  /** What the agent had started when it got the last signal. */
  below(): Promise<readonly TreeProcess[]>;
  /** Resolves on a signal after the agent has exited. The rest of its output is dropped then. */
  readonly afterEnd: Promise<void>;
  stop(): void;
}

function passSignals(
  agent: ChildProcessWithoutNullStreams,
  { stdin }: StandardStreams,
  observer: RelayObserver,
): PassedSignals {
  let hasAsked = false;
  let below: Promise<readonly TreeProcess[]> = Promise.resolve([]);
  let deaf: NodeJS.Timeout | undefined;
  const pid = agent.pid ?? 0;
  const send = (signal: NodeJS.Signals): void => {
    if (agent.kill(signal) && asksToEnd(signal)) observer.event({ ev: 'signal', signal });
  };
  /** Wrappers end at once, and then nothing tells any longer what they have started. */
  const look = async (before: Promise<readonly TreeProcess[]>): Promise<readonly TreeProcess[]> => {
    return [...(await before), ...(await processesBelow(pid))];
  };
  let resolveAfterEnd = (): void => undefined;
  const afterEnd = new Promise<void>((resolve) => (resolveAfterEnd = resolve));
  const listeners = passedOn.map((signal) => {
    const listener = (): void => {
      const hasExited = agent.exitCode !== null || agent.signalCode !== null;
      if (hasExited) return asksToEnd(signal) ? resolveAfterEnd() : undefined;
      hasAsked ||= asksToEnd(signal);
      // A terminal signals the whole group, including the agent.
      if (!neverFromTerminal.has(signal) && 'isTTY' in stdin && stdin.isTTY === true) return;
      if (!asksToEnd(signal)) return send(signal);
      below = look(below);
      void below.then(() => send(signal));
      if (signal !== 'SIGTERM') return;
      deaf ??= setTimeout(() => {
        below = look(below);
        void below.then(() => send('SIGKILL'));
      }, deafGrace);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return {
    afterEnd,
    hasAsked: () => hasAsked,
    below: () => below,
    stop() {
      clearTimeout(deaf);
      for (const { signal, listener } of listeners) process.removeListener(signal, listener);
    },
  };
}

/** Reports a closed stdout unless the agent exits soon after. It can't respond any more, which explains what follows. */
function reportClosedStdout(stdout: Readable, observer: RelayObserver): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    timer = setTimeout(() => observer.event({ ev: 'stdout-close' }), closedStdoutGrace);
  };
  stdout.once('end', wait);
  return {
    stop() {
      clearTimeout(timer);
      stdout.removeListener('end', wait);
    },
  };
}

/** The current folder; its former path if it was deleted. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? homedir();
  }
}
