import { constants } from 'node:os';
import type { AgentExit } from './relayedAgent';
import { shareBlocking } from './standardStreams';

/** Signals whose default action leaves a core file (POSIX): the agent's is enough. */
const dumping: ReadonlySet<string> = new Set([
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGSYS',
]);
/** A signal that is ignored here, as under nohup, ends nobody, after so many milliseconds. */
const ignoredAfter = 100;

/** The code that shells give for an end (POSIX Shell Command Language section 2.8.2). */
function exitCodeOf({ code, signal }: AgentExit): number {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}

/** Ends this process as the agent ended: with its code, or by its signal. */
export function passExit(exit: AgentExit): void {
  if (exit.signal === null || dumping.has(exit.signal)) process.exit(exitCodeOf(exit));
  process.removeAllListeners(exit.signal);
  shareBlocking();
  process.kill(process.pid, exit.signal);
  setTimeout(() => process.exit(exitCodeOf(exit)), ignoredAfter);
}
