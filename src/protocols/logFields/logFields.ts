import type { Level } from '../../text/level';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { timeOf } from './timeOf';
import { levels, parseLevel } from '../../text/level';

/** The known fields of a structured log entry. */
export interface LogFields {
  readonly level?: Level;
  /** The entry's timestamp, in milliseconds since the epoch. */
  readonly time?: number;
  readonly logger?: string;
  readonly message?: string;
  /** All other fields by name. */
  readonly data?: JsonObject;
  /** Whether it has a level field, even one with an unknown level. */
  readonly hasLevel: boolean;
}

const levelNames = ['level', 'severity', 'lvl', 'levelname', 'severityText', 'log.level', '@l'];
const messageNames = ['msg', 'message', 'short_message', 'text', 'body', 'event', '@m', '@mt'];
const timeNames = ['time', 'timestamp', 'ts', '@timestamp', 'date', 'datetime', 'timeMillis', 'asctime', '@t'];
const loggerNames = [
  'logger',
  'log.logger',
  'loggerName',
  'logger_name',
  'name',
  'target',
  'service',
  'module',
  'component',
];
/** Fields that bunyan and pino repeat in every line. */
const noise = new Set(['v', 'pid', 'hostname']);

/**
 * Reads an entry by the field names of pino, bunyan, winston, zap, slog, log4j, ECS, GELF, tracing (Rust) and Serilog. A field with an unexpected
 * value stays in `data`.
 */
export function readLogFields(entry: JsonObject): LogFields {
  const fields = fieldsOf(isEventEntry(entry) ? entryOfEvent(entry) : entry);
  const hasLevel = levelNames.some((name) => (fields.get(name) ?? undefined) !== undefined);
  const level = take(fields, levelNames, isSyslog(fields) ? levelOfSyslog : levelOf);
  const message = take(fields, messageNames, textOf);
  const time = take(fields, timeNames, timeOf);
  const logger = take(fields, loggerNames, textOf);
  for (const name of noise) fields.delete(name);
  return {
    ...(level !== undefined && { level }),
    ...(time !== undefined && { time }),
    ...(logger !== undefined && { logger }),
    ...(message !== undefined && { message }),
    // Object.fromEntries rather than assignment, because a field may be called __proto__.
    ...(fields.size > 0 && { data: Object.fromEntries(fields) }),
    hasLevel,
  };
}

/** Whether an entry is an event with a level: `{"ts":…,"level":"info","type":"session.config.loaded","data":{…}}`, as in Qoder's log. */
function isEventEntry(entry: JsonObject): boolean {
  const has = (names: readonly string[]): boolean => names.some((name) => name in entry);
  return textOf(entry['type']) !== undefined && isObject(entry['data']) && has(levelNames) && !has(messageNames);
}

/** The event's name is its message. Fields of the entry itself count if its data has the same. */
function entryOfEvent({ type, data, ...entry }: JsonObject): JsonObject {
  return { ...objectOf(data), ...entry, msg: type };
}

/** Whether an entry has a field that only GELF has (https://go2docs.graylog.org, "GELF Payload Specification"), or a syslog facility. */
function isSyslog(fields: ReadonlyMap<string, unknown>): boolean {
  return (
    fields.has('short_message') || fields.has('facility') || (fields.get('version') === '1.1' && fields.has('host'))
  );
}

function fieldsOf(entry: JsonObject): Map<string, unknown> {
  const entries = Object.entries(entry);
  const isFolded = isObject(entry['fields']) || isObject(entry['log']);
  return new Map(isFolded ? entries.flatMap(unfolded) : entries);
}

/** tracing (Rust) puts the message in `fields`; ECS may write `log.level` as one name or as nested objects. */
function unfolded([name, value]: [string, unknown]): [string, unknown][] {
  if (!isObject(value)) return [[name, value]];
  if (name === 'fields' && 'message' in value) return Object.entries(value);
  return name === 'log' && 'level' in value
    ? Object.entries(value).map(([inner, each]) => [`log.${inner}`, each])
    : [[name, value]];
}

/** Removes and returns the first of the fields that can be read. */
function take<T>(
  fields: Map<string, unknown>,
  names: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const name of names) {
    const value = read(fields.get(name));
    if (value === undefined) continue;
    fields.delete(name);
    return value;
  }
  return undefined;
}

/**
 * The level named by a logger's value: a word, or a number as in bunyan and pino (10 trace to 60 fatal). `undefined` for anything else, including
 * lower numbers, whose meaning differs between loggers (0 is the most severe in consola and the least severe in tslog).
 */
export function levelOf(value: unknown): Level | undefined {
  if (typeof value !== 'number') return parseLevel(value);
  if (value >= 60) return 'critical';
  if (value >= 50) return 'error';
  if (value >= 40) return 'warning';
  if (value >= 30) return 'info';
  return value >= 10 ? 'debug' : undefined;
}

/** The level of a syslog or GELF entry: a severity (RFC 5424, section 6.2.1: 0 emergency to 7 debug). */
function levelOfSyslog(value: unknown): Level | undefined {
  return typeof value === 'number' && value >= 0 && value <= 7 ? levels[7 - value] : levelOf(value);
}
