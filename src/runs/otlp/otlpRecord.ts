import { boundedJson } from '../../log/boundedJson';
import type { Level } from '../../log/level';
import type { LogRecord } from '../../log/record';
import { shortId, withShortSession } from '../../log/sessionLabel';
import { cut } from '../../log/text';
import { isObject } from '../../protocols/json';
import type { TraceContext } from './traceContext';

/** Whose records they are (OpenTelemetry "Resource"). One object for each run. */
export interface OtlpResource {
  /** `service.name` is the agent, `service.instance.id` the run. */
  readonly attributes: Readonly<Record<string, string>>;
}

type OtlpValue = string | number | boolean;

/** A record in the terms of OpenTelemetry's "Logs Data Model"; times are seconds and nanoseconds since the epoch. */
export interface OtlpRecord {
  readonly resource: OtlpResource;
  /** The logger; empty where the record names none. */
  readonly scope: string;
  readonly hrTime: [number, number];
  readonly hrTimeObserved: [number, number];
  readonly severityNumber: number;
  readonly severityText: Level;
  readonly body: string;
  readonly attributes: Readonly<Record<string, OtlpValue>>;
  /** Fields of `data` that were too many. */
  readonly droppedAttributesCount: number;
  readonly spanContext?: TraceContext;
}

/** "Logs Data Model", appendix B: the column of syslog, whose eight severities ours are. */
const severityNumbers: Readonly<Record<Level, number>> = {
  debug: 5,
  info: 9,
  notice: 10,
  warning: 13,
  error: 17,
  critical: 18,
  alert: 19,
  emergency: 21,
};

/** In UTF-16 units. */
const maxBody = 32_768;
const maxValue = 4096;
const maxName = 100;
/** Of an object in `data`, so many fields become attributes. */
const maxFields = 64;
/** Nanoseconds of later times do not fit OTLP's 64 bits; in milliseconds. */
const maxTime = 9_223_372_036_854;

/**
 * A log record for a collector. Session ids are bearer-like: only their end is sent. The fields of an object in `data` become attributes
 * `data.<name>`, nested ones as JSON; any other value becomes `data`.
 */
export function otlpRecord(resource: OtlpResource, record: LogRecord, trace: TraceContext | undefined): OtlpRecord {
  const observed = timeOf(record.receivedAt);
  const short = (text: string): string => withShortSession(text, record.sessionId);
  const data = dataAttributes(record.data, short);
  return {
    resource,
    scope: record.logger === undefined ? '' : cut(record.logger, maxName),
    hrTime: isTime(record.time) ? timeOf(record.time) : observed,
    hrTimeObserved: observed,
    severityNumber: severityNumbers[record.level],
    severityText: record.level,
    body: short(cut(record.message, maxBody)),
    attributes: {
      'agent_logs.kind': record.kind,
      'agent_logs.seq': record.seq,
      ...(record.sessionId !== undefined && { 'session.id': shortId(record.sessionId) }),
      ...data.attributes,
    },
    droppedAttributesCount: data.dropped,
    ...(trace && { spanContext: trace }),
  };
}

/** About how many bytes a record takes while it waits: its text, and data as it is bounded when it is read. */
export function otlpSize({ message, data }: LogRecord): number {
  return 300 + message.length * 2 + (data === undefined ? 0 : sizeOf(data));
}

interface DataAttributes {
  readonly attributes: Readonly<Record<string, OtlpValue>>;
  readonly dropped: number;
}

function dataAttributes(data: unknown, short: (text: string) => string): DataAttributes {
  if (data === undefined) return { attributes: {}, dropped: 0 };
  if (!isObject(data)) return { attributes: { data: valueOf(data, short) }, dropped: 0 };
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  const kept = entries.slice(0, maxFields);
  const attributes = kept.map(([name, value]) => [`data.${short(cut(name, maxName))}`, valueOf(value, short)] as const);
  return { attributes: Object.fromEntries(attributes), dropped: entries.length - kept.length };
}

function valueOf(value: unknown, short: (text: string) => string): OtlpValue {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return short(typeof value === 'string' ? cut(value, maxValue) : boundedJson(value, maxValue));
}

function isTime(time: number | undefined): time is number {
  return time !== undefined && time >= 0 && time <= maxTime;
}

function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1_000_000)];
}

/** About the size of a JSON value, in bytes; not counted further than a mebibyte, nor deeper than anybody reads. */
function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return 16 + value.length * 2;
  if (typeof value !== 'object' || value === null || depth > 32) return 16;
  let size = 32;
  for (const part of Object.values(value)) {
    size += 16 + sizeOf(part, depth + 1);
    if (size > 1_048_576) break;
  }
  return size;
}
