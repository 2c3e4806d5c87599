import type { Level } from '../text/level';
import type { RecordDraft } from '../text/record';
import { duration, oneLine } from '../text/text';
import type { Words } from '../text/translator';
import { inEnglish, t, verbatim } from '../text/translator';
import { describeExitCode } from '../wire/termination';
import type { ConnectionEvent, WireProcessEvent } from '../wire/wireEvent';
import type { Termination } from '../wire/termination';
import { isFault } from '../work/failures/fault';
import { isProgramMissing } from '../work/failures/missingProgram';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * The record of a process or connection event; `undefined` if the views show it anyway.
 * @param askedToEnd true if the user or the client had asked it to end
 */
export function lifecycleRecord(event: WireProcessEvent, askedToEnd: boolean): RecordDraft | undefined {
  if (event.ev === 'end') return undefined; // The views show the end themselves.
  const [level, message] = describe(event, askedToEnd);
  return { receivedAt: event.t, level, kind: 'lifecycle', message };
}

function describe(event: Exclude<WireProcessEvent, { ev: 'end' }>, askedToEnd: boolean): [Level, string] {
  switch (event.ev) {
    case 'spawn':
      return [
        'info',
        `started ${oneLine(event.command.join(' '), 300)}${event.pid > 0 ? ` (process ${event.pid})` : ''} in ${event.cwd}`,
      ];
    case 'start-failed':
      // A diagnosis reports a missing program; two errors would be redundant.
      return [event.missing || isProgramMissing(event.message) ? 'notice' : 'error', event.message];
    case 'waiting':
      return ['notice', `still waiting for the answer to ${event.method}, for ${duration(event.ms)}`];
    case 'stdin-close':
      return ['debug', 'asked to end: its standard input was closed'];
    case 'stdout-close':
      return ['error', 'closed its standard output, and can answer no more'];
    case 'left-behind':
      return event.remaining === undefined
        ? ['notice', 'left processes behind, which are ended']
        : ['warning', `left processes behind that can't be ended: ${event.remaining.join(', ')}`];
    case 'skipped':
      return [
        'warning',
        `${event.bytes} bytes crossed that are missing here: they came faster than they could be kept`,
      ];
    case 'signal':
      return ['info', `sent ${event.signal} to its process group`];
    case 'exit':
      return [exitLevel(event, askedToEnd), inEnglish(exitText(event))];
    default:
      return describeConnection(event, askedToEnd);
  }
}

function describeConnection(event: ConnectionEvent, askedToEnd: boolean): [Level, string] {
  switch (event.ev) {
    case 'connect':
      return ['info', `connecting to ${oneLine(event.url, 300)}`];
    case 'http': {
      return [httpLevel(event, askedToEnd), inEnglish(httpText(event))];
    }
    case 'stream-close':
      return ['info', describeStreamClose(event)];
    case 'reconnect':
      return ['notice', `connecting again in ${duration(event.ms)}, attempt ${event.attempt}`];
    case 'disconnect':
      if (event.message === undefined) return ['info', 'disconnected'];
      return [askedToEnd ? 'info' : 'error', `the connection is lost: ${oneLine(event.message, 500)}`];
  }
}

/** `HTTP POST was answered with status 401: message`. */
export function httpText({ method, status, message }: Extract<ConnectionEvent, { ev: 'http' }>): Words {
  const name = oneLine(method, 20);
  const what =
    status === undefined ? t('HTTP {0} failed', name) : t('HTTP {0} was answered with status {1}', name, status);
  return message === '' ? what : t('{0}: {1}', what, oneLine(message, 500));
}

function describeStreamClose({ message, cancels }: Extract<ConnectionEvent, { ev: 'stream-close' }>): string {
  const who = cancels === undefined ? 'the server closed its stream' : 'closed the stream of an answer to cancel it';
  return message === undefined ? who : `${who}: ${oneLine(message, 500)}`;
}

/** True if the event starts a process or a connection, usually the run's only one. */
export function isBeginning(event: WireProcessEvent): boolean {
  return event.ev === 'spawn' || event.ev === 'connect';
}

/** True if no more responses can come after this event. */
export function isEnd(event: WireProcessEvent): boolean {
  return event.ev === 'exit' || event.ev === 'disconnect';
}

/** True if the event shows that the user or the client is ending the run. */
export function asksToEnd(event: WireProcessEvent): boolean {
  return (
    event.ev === 'stdin-close' || event.ev === 'signal' || (event.ev === 'disconnect' && event.message === undefined)
  );
}

/** A server may lack a stream to GET and a session to DELETE (MCP "Streamable HTTP"); it answers 405, which isn't an error. */
function httpLevel({ method, status }: { method: string; status?: number }, askedToEnd: boolean): Level {
  if (status === 405 && method.toUpperCase() !== 'POST') return 'debug';
  // A server with only the older transport responds with this; that transport is tried next.
  if (status === 405) return 'notice';
  return askedToEnd ? 'info' : 'error';
}

function exitLevel({ code, signal }: Exit, askedToEnd: boolean): Level {
  if (askedToEnd) return 'info';
  return code === 0 || signal === 'SIGTERM' || code === 143 ? 'notice' : 'error';
}

/** `exited with code 1`, `ended by SIGKILL`. */
export function exitText({ code, signal }: Exit): Words {
  if (signal !== null) return t('ended by {0}', signal);
  return code === null ? t('exited with an unknown code') : t('exited with code {0}', describeExitCode(code));
}

/** Short form for a row: `exit 1`, `SIGKILL`. */
export function shortExit({ code, signal }: Exit): Words {
  return signal === null ? t('exit {0}', code ?? '?') : verbatim(signal);
}

/**
 * Derives the termination from the end of an agent.
 * @param exit the exit of its process, if it had one
 * @param stoppedByUs true if the user or the client stopped it
 * @param unanswered the method of a request that it didn't answer
 */
export function terminationOf(exit: Exit | undefined, stoppedByUs: boolean, unanswered?: string): Termination {
  if (!exit) {
    const message = t('disconnected');
    if (stoppedByUs) return { reason: 'completed', terminatedBy: 'client', message };
    return { reason: 'error', terminatedBy: 'agent', message };
  }
  const { code, signal } = exit;
  const how = {
    message: exitText(exit),
    ...(code !== null && { exitCode: code }),
    ...(signal !== null && { signal }),
  };
  if (stoppedByUs) return { reason: code === 0 ? 'completed' : 'terminated', terminatedBy: 'client', ...how };
  if (signal !== null && !isFault(signal)) return { reason: 'terminated', terminatedBy: 'system', ...how };
  if (code === 0 && unanswered !== undefined) {
    return {
      reason: 'error',
      terminatedBy: 'agent',
      ...how,
      message: t('{0} and left {1} unanswered', how.message, unanswered),
    };
  }
  return { reason: code === 0 ? 'completed' : 'error', terminatedBy: 'agent', ...how };
}
