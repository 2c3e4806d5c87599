import { boundedJson } from '../../log/boundedJson';
import { duration } from '../../log/text';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { objectOf, requestIdOf } from '../json';
import type { OpenRequest } from '../jsonrpc/requests';
import { withShortId } from './exchange';

/**
 * What any notification says but logs and updates.
 * @param cancelled the open request that a `$/cancel_request` names
 * @param t when it came
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
  return { level: 'info', logger: method, message: withShortId(boundedJson(params ?? null, 2000), params) };
}
