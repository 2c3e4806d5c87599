import type { Level } from '../../text/level';
import { parseLevel } from '../../text/level';
import type { JsonObject } from '../../text/json';
import type { ExchangeText } from '../jsonrpc/exchangeText';
import { isObject, textOf } from '../../text/json';
import { addUnknown, dataWithOdd, messageText, OddFields } from '../oddFields';

const messageFields: ReadonlySet<string> = new Set(['type', 'message']);
const traceFields: ReadonlySet<string> = new Set(['message']);

/** `MessageType` (LSP 3.18, "window/showMessage"). RFC 5424 has only one level for both `Log` and `Debug`. */
const levelsByType: ReadonlyMap<unknown, Level> = new Map<unknown, Level>([
  [1, 'error'],
  [2, 'warning'],
  [3, 'info'],
  [4, 'debug'],
  [5, 'debug'],
]);

/** The level of a `MessageType`, or `undefined` if it is invalid. */
export function levelOfType(type: unknown): Level | undefined {
  return levelsByType.get(type);
}

/** The prefix `[area] ` that Copilot's server and others put before a message. */
const area = /^\[([A-Za-z][\w.:/@-]{0,59})\]:?\s+(?=\S)/;

/** Reads `window/logMessage`. Always yields a record; unknown and invalid fields are kept in its data. */
export function logRecord(params: unknown): ExchangeText {
  if (!isObject(params)) return { level: 'info', kind: 'log', message: messageText(params) };
  const { level, data } = readFields(params);
  const text = messageText(params['message']);
  const [prefix = '', logger] = area.exec(text) ?? [];
  const hasArea = logger !== undefined && parseLevel(logger) === undefined;
  return {
    level,
    kind: 'log',
    ...(hasArea && { logger }),
    message: hasArea ? text.slice(prefix.length) : text,
    ...(data !== undefined && { data }),
  };
}

/** Reads `window/showMessage`, a message for the user. */
export function shownRecord(params: unknown): ExchangeText {
  if (!isObject(params)) return { level: 'info', kind: 'notice', message: messageText(params) };
  const { level, data } = readFields(params);
  return { level, kind: 'notice', message: messageText(params['message']), ...(data !== undefined && { data }) };
}

/** Reads `$/logTrace`, which servers send if `$/setTrace` enabled it. */
export function traceRecord(params: unknown): ExchangeText {
  const common = { level: 'debug', kind: 'log', logger: 'trace' } as const;
  if (!isObject(params)) return { ...common, message: messageText(params) };
  const odd = new OddFields();
  addUnknown(params, traceFields, odd);
  const data = dataWithOdd(undefined, odd);
  return { ...common, message: messageText(params['message']), ...(data !== undefined && { data }) };
}

/** Reads `telemetry/event`, which may be any JSON. */
export function telemetryRecord(params: unknown): ExchangeText {
  const common = { level: 'debug', kind: 'log', logger: 'telemetry' } as const;
  if (!isObject(params)) return { ...common, message: messageText(params) };
  const name = ['name', 'eventName', 'event', 'type'].find((each) => textOf(params[each]) !== undefined);
  if (name === undefined) return { ...common, message: messageText(params) };
  const rest = Object.entries(params).filter(([each]) => each !== name);
  return {
    ...common,
    message: textOf(params[name]) ?? '',
    ...(rest.length > 0 && { data: Object.fromEntries(rest) }),
  };
}

function readFields(params: JsonObject): { level: Level; data: unknown } {
  const odd = new OddFields();
  const level = levelOfType(params['type']);
  if (level === undefined && params['type'] !== undefined) odd.set('type', params['type']);
  addUnknown(params, messageFields, odd);
  return { level: level ?? 'info', data: dataWithOdd(undefined, odd) };
}
