import { jsonText } from '../../log/jsonText';
import type { Level } from '../../log/level';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf } from '../../protocols/json';

/** What became of an `initialize` line. */
export type Declaration =
  | { readonly type: 'declared'; readonly line: string }
  /** The client takes logs itself. */
  | { readonly type: 'unchanged' };

/**
 * Declares in a client's `initialize` that logs are taken (ACP's logging proposal, pull request 392, and its form by "Extensibility"), where
 * the client does not. Version 2 calls the field `capabilities`.
 * @returns `undefined` for any other line
 */
export function declareLogging(line: string, level: Level): Declaration | undefined {
  if (!line.includes('"initialize"')) return undefined;
  const message = parse(line);
  if (message?.['method'] !== 'initialize' || message['id'] === undefined) return undefined;
  const params = objectOf(message['params']);
  const version = params['protocolVersion'];
  const name = typeof version === 'number' && version >= 2 ? 'capabilities' : 'clientCapabilities';
  const capabilities = objectOf(params[name]);
  const meta = objectOf(capabilities['_meta']);
  if (isSet(capabilities['logging']) || isSet(objectOf(meta['agent-logs'])['logging'])) return { type: 'unchanged' };
  // An id that a JavaScript number cannot hold would come back as another one.
  if (typeof message['id'] === 'number' && !Number.isSafeInteger(message['id'])) return { type: 'unchanged' };
  const logging = { level };
  const declared = {
    ...capabilities,
    logging,
    _meta: { ...meta, 'agent-logs': { ...objectOf(meta['agent-logs']), logging } },
  };
  const changed = jsonText({ ...message, params: { ...params, [name]: declared } });
  return changed === undefined ? { type: 'unchanged' } : { type: 'declared', line: changed };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function parse(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
