import type { Level } from '../log/level';
import type { RecordDraft } from '../log/record';
import { duration, oneLine } from '../log/text';
import type { WireProcessEvent } from '../wire/wireEvent';

/** What befell the process, in words. */
export function lifecycleRecord(event: WireProcessEvent): RecordDraft {
  const [level, message] = describe(event);
  return { receivedAt: event.t, level, kind: 'lifecycle', message };
}

function describe(event: WireProcessEvent): [Level, string] {
  switch (event.ev) {
    case 'spawn':
      return ['info', `started ${oneLine(event.command.join(' '), 300)} (process ${event.pid}) in ${event.cwd}`];
    case 'start-failed':
      return ['error', event.message];
    case 'waiting':
      return ['notice', `still waiting for the answer to ${event.method}, for ${duration(event.ms)}`];
    case 'stdin-close':
      return ['debug', 'closed its standard input: asked to end'];
    case 'stdout-close':
      return ['error', 'closed its standard output, and can answer no more'];
    case 'signal':
      return ['info', `sent ${event.signal} to its process group`];
    case 'exit':
      return [isClean(event) ? 'info' : 'error', describeExit(event)];
  }
}

/** `exited with code 1`, `ended by SIGKILL`. */
export function describeExit(exit: { readonly code: number | null; readonly signal: string | null }): string {
  return exit.signal === null ? `exited with code ${exit.code ?? 'unknown'}` : `ended by ${exit.signal}`;
}

/** An end that nobody needs to look into: by itself without an error, or by the signal that asks for it. */
function isClean(exit: { readonly code: number | null; readonly signal: string | null }): boolean {
  return exit.code === 0 || exit.signal === 'SIGTERM' || exit.code === 143;
}
