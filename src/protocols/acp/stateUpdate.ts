import { boundedJson } from '../../log/boundedJson';
import { duration } from '../../log/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { errorText } from '../jsonrpc/exchangeText';
import { loginRequired, requestCancelled } from '../../work/errorCodes';
import { rpcError } from '../../work/rpcError';
import type { JsonObject } from '../../log/json';
import { textOf } from '../../log/json';
import { describeTurn } from './exchange';

/** Describes how a turn ended, from the `state_update` that ended it. */
export function describeEnd(update: JsonObject, ms: number): ExchangeText {
  const { usage } = update;
  const error = rpcError(update['error']);
  const stopReason = textOf(update['stopReason']);
  if (!error) {
    const text = describeTurn({ stopReason, usage }, duration(ms));
    return stopReason === 'error' ? { ...text, level: 'error' } : text;
  }
  const isCancelled = error.code === requestCancelled;
  const level = isCancelled ? 'info' : error.code === loginRequired ? 'warning' : 'error';
  return errorText(level, 'turn', `${isCancelled ? 'cancelled' : 'failed'} after ${duration(ms)}`, error);
}

/** Describes a state that doesn't end a turn. */
export function describeState(update: JsonObject): ExchangeText {
  const state = textOf(update['state']) ?? '(none)';
  const { sessionUpdate: _kind, state: _state, background, ...others } = update;
  // A valid list is shown when it changes.
  const odd = background === undefined || Array.isArray(background) ? {} : { background };
  const rest = { ...odd, ...others };
  const detail = Object.keys(rest).length === 0 ? '' : ` ${boundedJson(rest, 500)}`;
  // The question itself is a notice.
  if (state === 'requires_action') return { level: 'debug', logger: 'turn', message: `waits for the user${detail}` };
  const isFailure = others['error'] !== undefined && others['error'] !== null;
  return { level: isFailure ? 'error' : 'debug', logger: 'turn', message: `${state}${detail}` };
}
