import { boundedJson } from '../../text/boundedJson';
import { isObject, objectOf } from '../../text/json';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import type { RpcError } from '../../work/rpcError';

const maxNames = 5;

/** What to do about a request that needs capabilities of the client (MCP 2026-07-28 "Error Codes"). */
export function missingCapabilities({ data }: RpcError): Words {
  const names = Object.entries(objectOf(objectOf(data)['requiredCapabilities'])).flatMap(([name, value]) =>
    name === 'extensions' && isObject(value) ? Object.keys(value).map((one) => `extensions.${one}`) : [name],
  );
  if (names.length === 0) return t('The client has to declare the capability that the server needs.');
  const list = names.slice(0, maxNames).map((name) => `\`${boundedJson(name, 100).slice(1, -1)}\``);
  return t('The client has to declare {0} in its capabilities.', list.join(', '));
}
