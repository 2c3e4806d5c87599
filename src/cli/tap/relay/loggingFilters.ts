import { jsonText, parsedJson } from '../../../text/jsonText';
import type { Level } from '../../../text/level';
import type { JsonObject } from '../../../text/json';
import { isObject, objectOf } from '../../../text/json';
import { LineFilter } from './lineFilter';
import type { RelayFilters } from './relayedAgent';

const capabilityFields = ['capabilities', 'clientCapabilities'] as const;

/** The notifications that agents send because of the declaration. The client may not know them. */
const logMethods = new Set(['log', '_agent-logs/log']);

/** Declares logging for a client that doesn't, and removes the logs that it didn't ask for. Everything else passes unchanged. */
export function loggingFilters(level: Level): Required<RelayFilters> {
  let state: 'waiting' | 'declared' | 'unchanged' = 'waiting';
  const toAgent = (line: string): string => {
    const declared = state === 'waiting' ? declareLogging(line, level) : undefined;
    if (declared === undefined) return line;
    state = declared === line ? 'unchanged' : 'declared';
    return state === 'declared' && line.endsWith('\r') ? `${declared}\r` : declared;
  };
  return {
    c2a: new LineFilter({
      isDone: () => state !== 'waiting',
      concerns: (lines) => lines.includes('"initialize"'),
      replace: toAgent,
    }),
    a2c: new LineFilter({
      isDone: () => state === 'unchanged',
      concerns: (lines) => state === 'declared' && lines.includes('log"'),
      replace: (line) => (isLogNotification(line) ? undefined : line),
    }),
  };
}

function isLogNotification(line: string): boolean {
  const { method, id } = objectOf(parsedJson(line));
  return typeof method === 'string' && logMethods.has(method) && id === undefined;
}

/**
 * Declares in a client's `initialize` that it supports logs (ACP's logging proposal, pull request 392, also in the form of "Extensibility"),
 * unless the client does so itself. The field is called `capabilities` in version 2; a client that offers version 2 may also send version 1's
 * field, for agents that fall back.
 * @returns the same line if there is nothing to declare; `undefined` for any other line
 */
export function declareLogging(line: string, level: Level): string | undefined {
  if (!line.includes('"initialize"')) return undefined;
  const message = objectOf(parsedJson(line));
  if (message['method'] !== 'initialize' || message['id'] === undefined) return undefined;
  const params = objectOf(message['params']);
  const version = params['protocolVersion'];
  const isVersion2 = typeof version === 'number' && version >= 2;
  const names = capabilityFields.filter((name) =>
    name === 'clientCapabilities' ? !isVersion2 || isObject(params[name]) : isVersion2,
  );
  if (names.some((name) => declares(objectOf(params[name])))) return line;
  // A larger number would be changed by `JSON.parse`.
  if (typeof message['id'] === 'number' && !Number.isSafeInteger(message['id'])) return line;
  const declared = Object.fromEntries(names.map((name) => [name, withLogging(objectOf(params[name]), level)]));
  return jsonText({ ...message, params: { ...params, ...declared } }) ?? line;
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
