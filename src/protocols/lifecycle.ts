import type { Level } from '../log/level';
import type { RecordDraft } from '../log/record';
import { duration, oneLine } from '../log/text';
import type { WireProcessEvent } from '../wire/wireEvent';

/**
 * What befell the process, in words.
 * @param askedToEnd whether we asked it to end before
 */
export function lifecycleRecord(event: WireProcessEvent, askedToEnd: boolean): RecordDraft {
  const [level, message] = describe(event, askedToEnd);
  return { receivedAt: event.t, level, kind: 'lifecycle', message };
}

function describe(event: WireProcessEvent, askedToEnd: boolean): [Level, string] {
  switch (event.ev) {
    case 'spawn':
      return [
        'info',
        `started ${oneLine(event.command.join(' '), 300)}${event.pid > 0 ? ` (process ${event.pid})` : ''} in ${event.cwd}`,
      ];
    case 'start-failed':
      return ['error', event.message];
    case 'waiting':
      return ['notice', `still waiting for the answer to ${event.method}, for ${duration(event.ms)}`];
    case 'stdin-close':
      return ['debug', 'asked to end: its standard input was closed'];
    case 'stdout-close':
      return ['error', 'closed its standard output, and can answer no more'];
    case 'left-behind':
      return ['notice', 'left processes behind, which are ended'];
    case 'signal':
      return ['info', `sent ${event.signal} to its process group`];
    case 'exit':
      return [exitLevel(event, askedToEnd), describeExit(event)];
  }
}

function exitLevel(
  { code, signal }: { readonly code: number | null; readonly signal: string | null },
  askedToEnd: boolean,
): Level {
  if (askedToEnd) return 'info';
  return code === 0 || signal === 'SIGTERM' || code === 143 ? 'notice' : 'error';
}

/** `exited with code 1`, `ended by SIGKILL`. */
export function describeExit(exit: { readonly code: number | null; readonly signal: string | null }): string {
  return exit.signal === null ? `exited with code ${exit.code ?? 'unknown'}` : `ended by ${exit.signal}`;
}
