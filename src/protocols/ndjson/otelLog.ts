import { boundedJson } from '../../text/boundedJson';
import type { Level } from '../../text/level';
import { parseLevel } from '../../text/level';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { camelCase, messageFields, traceIdIn } from './protoJson';
import type { LogFields } from '../logFields/logFields';
import { timeOf } from '../logFields/timeOf';

/** One of the log records that an export request of OTLP/JSON carries. */
export interface OtlpLog {
  readonly record: JsonObject;
  readonly resource: unknown;
  readonly scope: unknown;
}

/** The log records of an OTLP/JSON export request (`ExportLogsServiceRequest`), or `undefined` if it isn't one. */
export function otlpLogsOf(msg: JsonObject): OtlpLog[] | undefined {
  const { resourceLogs } = messageFields(msg);
  if (!Array.isArray(resourceLogs)) return undefined;
  return resourceLogs.map(messageFields).flatMap(({ resource, scopeLogs }) =>
    arrayOf(scopeLogs)
      .map(messageFields)
      .flatMap(({ scope, logRecords }) =>
        arrayOf(logRecords).map((record) => ({ record: objectOf(record), resource, scope })),
      ),
  );
}

/** What only a LogRecord of OpenTelemetry has, as its JSON mapping, its data model and Rust and Python write it. */
const ownNames = [
  'severityNumber',
  'SeverityNumber',
  'severity_number',
  'timeUnixNano',
  'time_unix_nano',
  'observedTimeUnixNano',
  'observed_time_unix_nano',
  'observedTimestamp',
  'ObservedTimestamp',
  'observed_timestamp',
];
const contentNames = ['body', 'Body', 'attributes', 'Attributes'];

/** Whether an object is a LogRecord of OpenTelemetry, in any of its spellings. */
export function isOtelLog(msg: JsonObject): boolean {
  return ownNames.some((name) => name in msg) && contentNames.some((name) => name in msg);
}

/** A LogRecord as an event. */
export interface OtelEvent {
  readonly name: string | undefined;
  /** Milliseconds since the epoch. */
  readonly time: number | undefined;
  readonly attributes: JsonObject;
  readonly body: unknown;
  /** Empty if it is outside of a trace. */
  readonly traceId: string;
  readonly spanId: string;
}

export function otelEvent({ record }: OtlpLog): OtelEvent {
  const fields = fieldsOf(record);
  const attributes = plainAttributes(fields.get('attributes'));
  return {
    name: nameOf(fields, attributes),
    time: timeIn(fields),
    attributes,
    body: plainValue(fields.get('body')),
    traceId: traceIdIn(fields.get('traceId')),
    spanId: traceIdIn(fields.get('spanId')),
  };
}

/** A LogRecord (OpenTelemetry "Logs Data Model"). */
export function readOtelLog({ record, resource, scope }: OtlpLog): LogFields {
  const fields = fieldsOf(record);
  const attributes = plainAttributes(fields.get('attributes'));
  const body = plainValue(fields.get('body'));
  const time = timeIn(fields);
  const level = parseLevel(fields.get('severityText')) ?? levelOfSeverity(fields.get('severityNumber'));
  const message =
    textOf(body) ?? (body === undefined || body === null ? nameOf(fields, attributes) : boundedJson(body));
  const logger = loggerOf(resource ?? fields.get('resource'), scope ?? fields.get('instrumentationScope'));
  const rest = Object.entries({
    ...attributes,
    traceId: fields.get('traceId'),
    spanId: fields.get('spanId'),
  }).filter(([, value]) => value !== undefined && value !== '');
  return {
    ...(level !== undefined && { level }),
    ...(time !== undefined && { time }),
    ...(logger !== undefined && { logger }),
    ...(message !== undefined && { message }),
    ...(rest.length > 0 && { data: Object.fromEntries(rest) }),
    hasLevel: level !== undefined,
  };
}

function fieldsOf(record: JsonObject): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(record).map(([name, value]) => [camelCase(name), value]));
}

function timeIn(fields: ReadonlyMap<string, unknown>): number | undefined {
  const time = timeOf(fields.get('timeUnixNano')) ?? timeOf(fields.get('timestamp'));
  return time !== undefined && time > 0 ? time : undefined;
}

function nameOf(fields: ReadonlyMap<string, unknown>, attributes: JsonObject): string | undefined {
  return textOf(fields.get('eventName')) ?? textOf(attributes['event.name']);
}

/** "Logs Data Model", field SeverityNumber: four numbers to each of six ranges; its mapping of syslog has Notice at 10. */
function levelOfSeverity(severity: unknown): Level | undefined {
  const number = typeof severity === 'string' ? severityNamed(severity) : severity;
  if (typeof number !== 'number' || number < 1) return undefined;
  if (number >= 21) return 'critical';
  if (number >= 17) return 'error';
  if (number >= 13) return 'warning';
  if (number >= 10) return 'notice';
  return number === 9 ? 'info' : 'debug';
}

/** Some write the name of the enumeration's value: `SEVERITY_NUMBER_WARN2`. */
function severityNamed(name: string): number | undefined {
  const [, range, number] = /^SEVERITY_NUMBER_(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)([2-4]?)$/.exec(name) ?? [];
  const start = range === undefined ? -1 : ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].indexOf(range);
  return start < 0 ? undefined : start * 4 + (number === '' || number === undefined ? 1 : Number(number));
}

function loggerOf(resource: unknown, scope: unknown): string | undefined {
  const attributes = plainAttributes(isObject(resource) ? (resource['attributes'] ?? resource) : undefined);
  return textOf(objectOf(scope)['name']) ?? textOf(attributes['service.name']);
}

/** Deeper values aren't converted. */
const maxDepth = 6;
const scalars = ['stringValue', 'boolValue', 'doubleValue', 'bytesValue'];

/** A value of OTLP/JSON (`AnyValue` in opentelemetry/proto/common/v1) as plain JSON; what is plain already stays. */
function plainValue(value: unknown, depth = 0): unknown {
  if (!isObject(value) || depth >= maxDepth) return value;
  const [[name, inner] = ['', null], ...more] = Object.entries(value);
  if (more.length > 0) return value;
  // A value without a type is null.
  const type = camelCase(name);
  if (type === '') return null;
  if (scalars.includes(type)) return inner;
  // 64 bits come as a string (Protocol Buffers, "JSON Mapping").
  if (type === 'intValue') return typeof inner === 'string' ? integerOf(inner) : inner;
  if (type === 'arrayValue') return arrayOf(objectOf(inner)['values']).map((item) => plainValue(item, depth + 1));
  return type === 'kvlistValue' ? plainAttributes(objectOf(inner)['values'], depth + 1) : value;
}

/** An integer that is too large for a number stays text. */
function integerOf(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** Attributes as an object: OTLP has a list of keys and values, exporters to a console the object itself. */
export function plainAttributes(attributes: unknown, depth = 0): JsonObject {
  if (!Array.isArray(attributes)) return objectOf(attributes);
  const entries = attributes.flatMap((attribute): [string, unknown][] => {
    const key = textOf(objectOf(attribute)['key']);
    return key === undefined ? [] : [[key, plainValue(objectOf(attribute)['value'], depth)]];
  });
  // Not an assignment: a key may be __proto__.
  return Object.fromEntries(entries);
}
