import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { ProcessGuardian } from '../../runs/process/processGuardian';
import { spawnable, spawnHost } from '../../runs/process/spawnable';
import type { ProcessEvent } from '../../wire/wireEvent';
import type { ByteFilter } from './relay';
import { relay } from './relay';
import type { StandardStreams } from './standardStreams';

/** How a process ended. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Takes what crosses, and changes of the process. It may neither throw nor wait. */
export interface RelayObserver {
  chunk(dir: 'c2a' | 'a2c' | 'err', chunk: Buffer): void;
  event(event: ProcessEvent): void;
}

export interface RelayFilters {
  readonly c2a?: ByteFilter;
  readonly a2c?: ByteFilter;
}

/** The signals that a client or a terminal asks an agent to end with. */
const ending = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** Those that mean whatever the agent makes of them. The first would open Node's debugger here. */
const other = ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGCONT', 'SIGWINCH'] as const;
/** Windows has none of the others for another process. */
const passedOn = process.platform === 'win32' ? ending : [...ending, ...other];
/** A terminal sends these to the foreground group. */
const neverOfTerminal = new Set<string>(['SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM']);
/** A process that the agent left behind may hold its output open: it is not waited for once nothing has come for so long, in milliseconds. */
const silence = 250;
/** In milliseconds. */
const closedStdoutGrace = 500;
const unreadGrace = 1000;

/**
 * Runs an agent between these streams until it has ended and all it wrote is handed on.
 * @throws the error of `spawn` when it cannot be started
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
  // If the tap is killed, the agent only sees the end of its standard input, which it may ignore.
  const guardian = new ProcessGuardian();
  if (pid > 0) guardian.watch(pid);
  observer.event({ ev: 'spawn', pid, command, cwd: workingFolder() });
  const exited = new Promise<AgentExit>((resolve) => {
    agent.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const signals = passSignals(agent, streams, observer);
  // The journal has what the agent got, and what it wrote.
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
    keepOpen: true, // for what we have to say
  });
  const deaf = reportClosedStdout(agent.stdout, observer);
  const exit = await exited;
  guardian.release(pid);
  guardian.dispose();
  deaf.stop();
  const timers = [endAfterSilence(agent.stdout), endAfterSilence(agent.stderr)];
  // A client may wait with reading, but who never reads what an agent says on standard error must not keep us for ever.
  await Promise.race([Promise.all([stdout, Promise.race([stderr, delay(unreadGrace)])]), signals.afterEnd]);
  for (const timer of timers) clearInterval(timer);
  signals.stop();
  observer.event({ ev: 'exit', ...exit });
  return exit;
}

async function started(program: string, words: readonly string[]): Promise<ChildProcessWithoutNullStreams> {
  const host = spawnHost(process.env, workingFolder());
  const { command, args, windowsVerbatimArguments = false } = await spawnable({ command: program, args: words }, host);
  return new Promise((resolve, reject) => {
    // In our process group, so that a signal to the group ends the agent too, even SIGKILL, which can't be passed on. Other signals
    // then reach the agent twice, since their target is unknown. An agent that is left behind would be worse.
    const child = spawn(command, args, { stdio: 'pipe', windowsHide: true, windowsVerbatimArguments });
    child.once('spawn', () => resolve(child));
    child.on('error', reject); // and later a failed kill(), which changes nothing
  });
}

interface PassedSignals {
  /** Settles when a signal comes and the agent is gone: the rest of its output isn't waited for. */
  readonly afterEnd: Promise<void>;
  stop(): void;
}

function passSignals(
  agent: ChildProcessWithoutNullStreams,
  { stdin }: StandardStreams,
  observer: RelayObserver,
): PassedSignals {
  let tellAfterEnd = (): void => undefined;
  const afterEnd = new Promise<void>((resolve) => (tellAfterEnd = resolve));
  const listeners = passedOn.map((signal) => {
    const asksToEnd = ending.some((one) => one === signal);
    const listener = (): void => {
      if (agent.exitCode !== null || agent.signalCode !== null) return asksToEnd ? tellAfterEnd() : undefined;
      // A terminal signals the whole group, the agent with it.
      if (!neverOfTerminal.has(signal) && 'isTTY' in stdin && stdin.isTTY === true) return;
      if (agent.kill(signal) && asksToEnd) observer.event({ ev: 'signal', signal });
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return {
    afterEnd,
    stop() {
      for (const { signal, listener } of listeners) process.removeListener(signal, listener);
    },
  };
}

/** An agent that closes its standard output mostly ends at once. One that does not can answer no more, which explains what follows. */
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

function endAfterSilence(output: Readable): NodeJS.Timeout {
  let last = performance.now();
  output.on('data', () => (last = performance.now()));
  return setInterval(() => {
    if (output.isPaused()) {
      last = performance.now();
    } // the client has not taken what is there
    else if (performance.now() - last > silence) output.destroy();
  }, silence / 5);
}

/** The folder that this process works in; its former path if it was deleted. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? homedir();
  }
}
