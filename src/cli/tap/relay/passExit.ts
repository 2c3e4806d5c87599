import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { AgentExit } from './relayedAgent';
import { isPipe } from './standardStreams';

/** If the signal is ignored, as under nohup, the process exits after this many milliseconds. */
const ignoredAfter = 100;

/** The exit code as shells report it (POSIX Shell Command Language section 2.8.2). */
function exitCodeOf({ code, signal }: AgentExit): number {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}

/** Exits like the agent: with the same code, or by the same signal. */
export function passExit(exit: AgentExit): void {
  const { signal } = exit;
  if (signal === null) process.exit(exitCodeOf(exit));
  restoreDefault(signal);
  leaveNoCore();
  shareBlocking();
  try {
    process.kill(process.pid, signal);
  } catch {
    // Windows knows few signals.
  }
  setTimeout(() => process.exit(exitCodeOf(exit)), ignoredAfter);
}

/** Node ignores SIGPIPE, and V8 may handle SIGSEGV. When the last listener is removed, libuv restores the default action. */
function restoreDefault(signal: NodeJS.Signals): void {
  if (signal === 'SIGKILL' || signal === 'SIGSTOP') return; // can't be listened to
  process.on(signal, () => undefined);
  process.removeAllListeners(signal);
}

/**
 * Some signals dump core, and ours would overwrite the agent's if both are called `core`. On Linux, no core file can be created in /proc, and a
 * handler such as systemd-coredump gets one without memory (core(5)).
 */
function leaveNoCore(): void {
  try {
    process.chdir('/proc');
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // Not Linux: names of core files contain the PID.
  }
}

/**
 * Makes pipes blocking again for the processes that share them, since the mode belongs to the pipe. Node does this on exit, but not if the
 * process is ended by a signal.
 */
function shareBlocking(): void {
  for (const fd of [0, 1, 2]) {
    try {
      if (!isPipe(fd)) continue;
      const socket = new Socket({ fd, readable: false, writable: false }) as Socket & WithHandle;
      socket._handle?.setBlocking?.(true);
    } catch {
      // It was closed already.
    }
  }
}

/** Node has no public API for it. */
interface WithHandle {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}
