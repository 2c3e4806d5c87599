import type { Level } from '../../log/level';
import type { JsonObject } from '../json';
import { isObject, textOf } from '../json';
import { levelOf, levelOfSyslog } from './levelOf';
import { timeOf } from './timeOf';

/** A structured log entry, as far as its fields are known. */
export interface LogFields {
  readonly level?: Level;
  /** The entry's own timestamp, in milliseconds since the epoch. */
  readonly time?: number;
  readonly logger?: string;
  readonly message?: string;
  /** All other fields, by their names. */
  readonly data?: JsonObject;
  /** Whether it names a level, even one that nobody knows. */
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
/** What every bunyan and pino line repeats. */
const noise = new Set(['v', 'pid', 'hostname']);

/**
 * Reads an entry by the keys that loggers use: pino, bunyan, winston, zap, slog, log4j, ECS, GELF, tracing (Rust), Serilog. A field that is not
 * what its name says stays in `data`.
 */
export function readLogFields(entry: JsonObject): LogFields {
  const fields = fieldsOf(entry);
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
    // Not an assignment: a field may be called __proto__.
    ...(fields.size > 0 && { data: Object.fromEntries(fields) }),
    hasLevel,
  };
}

/** Whether an entry has what only GELF has (https://go2docs.graylog.org, "GELF Payload Specification"), or a facility of syslog. */
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

/** tracing (Rust) has the message among the `fields`; ECS may write `log.level` as one name or as an object in another. */
function unfolded([name, value]: [string, unknown]): [string, unknown][] {
  if (!isObject(value)) return [[name, value]];
  if (name === 'fields' && 'message' in value) return Object.entries(value);
  return name === 'log' && 'level' in value
    ? Object.entries(value).map(([inner, each]) => [`log.${inner}`, each])
    : [[name, value]];
}

/** The first of the fields that can be read, which is then no longer among them. */
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
