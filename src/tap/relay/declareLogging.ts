import { jsonText, parsedJson } from '../../log/jsonText';
import type { Level } from '../../log/level';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf } from '../../protocols/json';

const capabilityFields = ['capabilities', 'clientCapabilities'] as const;

/** What became of an `initialize` line. */
export type Declaration =
  | { readonly type: 'declared'; readonly line: string }
  /** The client takes logs itself. */
  | { readonly type: 'unchanged' };

/**
 * Declares in a client's `initialize` that logs are wanted (ACP's logging proposal, pull request 392, and its form by "Extensibility"), unless
 * the client does so itself. Version 2 calls the field `capabilities`; a client that offers version 2 may have version 1's field, too, for agents
 * that fall back.
 * @returns `undefined` for any other line
 */
export function declareLogging(line: string, level: Level): Declaration | undefined {
  if (!line.includes('"initialize"')) return undefined;
  const message = objectOf(parsedJson(line));
  if (message['method'] !== 'initialize' || message['id'] === undefined) return undefined;
  const params = objectOf(message['params']);
  const version = params['protocolVersion'];
  const isVersion2 = typeof version === 'number' && version >= 2;
  const names = capabilityFields.filter((name) =>
    name === 'clientCapabilities' ? !isVersion2 || isObject(params[name]) : isVersion2,
  );
  if (names.some((name) => declares(objectOf(params[name])))) return { type: 'unchanged' };
  // An id that a JavaScript number cannot hold would come back as another one.
  if (typeof message['id'] === 'number' && !Number.isSafeInteger(message['id'])) return { type: 'unchanged' };
  const declared = Object.fromEntries(names.map((name) => [name, withLogging(objectOf(params[name]), level)]));
  const changed = jsonText({ ...message, params: { ...params, ...declared } });
  return changed === undefined ? { type: 'unchanged' } : { type: 'declared', line: changed };
}

function declares(capabilities: JsonObject): boolean {
  return isSet(capabilities['logging']) || isSet(objectOf(objectOf(capabilities['_meta'])['agent-logs'])['logging']);
}

function withLogging(capabilities: JsonObject, level: Level): JsonObject {
  const meta = objectOf(capabilities['_meta']);
  const logging = { level };
  return { ...capabilities, logging, _meta: { ...meta, 'agent-logs': { ...objectOf(meta['agent-logs']), logging } } };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
