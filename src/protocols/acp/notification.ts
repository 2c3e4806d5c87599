import { boundedJson } from '../../log/boundedJson';
import { duration, oneLine } from '../../log/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import type { JsonObject } from '../json';
import { objectOf, requestIdOf, textOf, textsOf } from '../json';
import type { OpenRequest } from '../jsonrpc/requests';
import { withShortId } from './exchange';

/**
 * Describes any notification except logs and updates.
 * @param cancelled the open request that a `$/cancel_request` names
 * @param t time of receipt, in milliseconds since the epoch
 */
export function describeNotification(
  method: string,
  params: unknown,
  cancelled: OpenRequest | undefined,
  t: number,
): ExchangeText {
  if (method === 'session/cancel') return { level: 'info', logger: 'turn', message: 'cancel asked for' };
  if (method === '$/cancel_request') {
    const what = cancelled
      ? `${cancelled.method}, open for ${duration(t - cancelled.startedAt)}`
      : `request ${boundedJson(requestIdOf(objectOf(params)['requestId']) ?? null, 300)}`;
    return { level: 'info', logger: '$/cancel_request', message: `cancel asked for: ${what}` };
  }
  if (method === '_auth/status_update') return describeAuth(objectOf(objectOf(params)['authStatus']));
  return { level: 'info', logger: method, message: withShortId(boundedJson(params ?? null, 2000), params) };
}

/** claude-agent-acp and codex-acp report which account they use. */
function describeAuth(status: JsonObject): ExchangeText {
  const { kind, label, detail } = status;
  const how = textsOf(textOf(label) ?? textOf(kind) ?? boundedJson(status, 300), detail);
  return { level: 'debug', logger: 'login', message: oneLine(how.join(', '), 300) };
}
