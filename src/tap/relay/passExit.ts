import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { AgentExit } from './relayedAgent';
import { isPipe } from './standardStreams';

/** A signal that is ignored here, as under nohup, doesn't end this process; it exits after this many milliseconds. */
const ignoredAfter = 100;

/** The code that shells give for an end (POSIX Shell Command Language section 2.8.2). */
function exitCodeOf({ code, signal }: AgentExit): number {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}

/** Ends this process as the agent ended: with its code, or by its signal. */
export function passExit(exit: AgentExit): void {
  const { signal } = exit;
  if (signal === null) process.exit(exitCodeOf(exit));
  restoreDefault(signal);
  leaveNoCore();
  shareBlocking();
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(exitCodeOf(exit)), ignoredAfter);
}

/** Node ignores SIGPIPE, and V8 may handle SIGSEGV. When the last listener is removed, libuv restores the default action. */
function restoreDefault(signal: NodeJS.Signals): void {
  if (signal === 'SIGKILL' || signal === 'SIGSTOP') return; // can't be listened to
  process.on(signal, () => undefined);
  process.removeAllListeners(signal);
}

/**
 * Some signals dump core, and the agent has left its own: ours would overwrite it if both are called `core`. On Linux, a core file can't be
 * created in /proc, and what a handler such as systemd-coredump gets has no memory in it (core(5)).
 */
function leaveNoCore(): void {
  try {
    process.chdir('/proc');
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // not Linux: core files have the process id in their names
  }
}

/**
 * Makes the pipes blocking again for the processes that share them: being non-blocking is a state of the pipe. Node does this at an exit,
 * but not when a signal ends us.
 */
function shareBlocking(): void {
  for (const fd of [0, 1, 2]) {
    try {
      if (!isPipe(fd)) continue;
      const socket = new Socket({ fd, readable: false, writable: false }) as Socket & WithHandle;
      socket._handle?.setBlocking?.(true);
    } catch {
      // it was closed before we came
    }
  }
}

/** Node has no public way to it. */
interface WithHandle {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}
