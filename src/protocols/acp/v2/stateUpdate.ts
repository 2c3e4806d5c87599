import { boundedJson } from '../../../log/boundedJson';
import type { ExchangeText } from '../../jsonrpc/exchangeText';
import { errorParts } from '../../jsonrpc/exchangeText';
import type { JsonObject } from '../../json';
import { textOf } from '../../json';
import type { OpenRequest } from '../../jsonrpc/requests';
import { describeError, describeResult } from '../exchange';

/** How a turn ended, by the `state_update` that ended it. */
export function describeTurnEnd(request: OpenRequest, update: JsonObject, ms: number): ExchangeText {
  const { stopReason, error } = update;
  if (error !== undefined && error !== null) return describeError(request, errorParts(error), ms);
  const text = describeResult(request, { stopReason: stopReason ?? undefined }, ms);
  return stopReason === 'error' ? { ...text, level: 'error' } : text;
}

/** A state that ends no turn. */
export function describeState(update: JsonObject): ExchangeText {
  const state = textOf(update['state']) ?? '(none)';
  const { sessionUpdate: _kind, state: _state, background, ...others } = update;
  const inBackground = Array.isArray(background) && background.length > 0 ? { background: background as unknown } : {};
  const rest = { ...inBackground, ...others };
  const detail = Object.keys(rest).length === 0 ? '' : ` ${boundedJson(rest, 500)}`;
  if (state === 'requires_action') return { level: 'notice', logger: 'turn', message: `waits for the person${detail}` };
  const isFailure = others['error'] !== undefined && others['error'] !== null;
  return { level: isFailure ? 'error' : 'debug', logger: 'turn', message: `${state}${detail}` };
}
