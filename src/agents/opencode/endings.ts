import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { TurnEnding } from '../../protocols/agentWriter/verbs';

/** Finish reasons after which OpenCode continues. */
export const goingOn: ReadonlySet<string> = new Set(['tool-calls', 'unknown']);

/** ACP names for the finish reasons of Vercel's AI SDK. */
export const stopReasons: ReadonlyMap<string, string> = new Map([
  ['length', 'max_tokens'],
  ['content-filter', 'refusal'],
]);

/** An error of a turn. */
export interface OpencodeError {
  readonly name: string | undefined;
  readonly message: string | undefined;
  /** HTTP status. */
  readonly status: number | undefined;
  readonly isInterruption: boolean;
}

/** Reads an error of version 1, `{name, data}`, or of version 2, `{type, message, status}`. */
export function errorOf(error: JsonObject): OpencodeError {
  const data = objectOf(error['data']);
  const name = textOf(error['name']) ?? textOf(error['type']);
  return {
    name,
    message: textOf(data['message']) ?? textOf(error['message']),
    status: numberOf(data['statusCode']) ?? numberOf(error['status']),
    isInterruption: name === 'MessageAbortedError' || name === 'aborted',
  };
}

/** How a turn ends with this error. */
export function endingOf(error: JsonObject): TurnEnding {
  const { name, message, status, isInterruption } = errorOf(error);
  if (isInterruption) return { outcome: 'cancelled' };
  const words = message ?? name ?? 'no reason given';
  return { outcome: 'error', error: status === undefined ? words : `${words} (status ${status})` };
}

/** How a turn ends with this finish reason; `undefined` if it continues. */
export function finished(reason: string | undefined): TurnEnding | undefined {
  if (reason === undefined || goingOn.has(reason)) return undefined;
  return { outcome: 'ok', stopReason: reason === 'stop' ? 'end_turn' : (stopReasons.get(reason) ?? reason) };
}
