import { isObject, objectOf } from '../../protocols/json';

/** The span of a distributed trace that a record belongs to. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Longer lines are not parsed, in UTF-16 units. */
const maxLine = 1024 * 1024;

/**
 * Reads `params._meta.traceparent`, where ACP and MCP (SEP-414) have the trace context.
 * @param raw one or more wire lines; only the first is read
 */
export function traceOf(raw: string | undefined): TraceContext | undefined {
  // Few messages have a trace context, so don't parse the others.
  if (raw === undefined || raw.length > maxLine || !raw.includes('"traceparent"')) return undefined;
  const message = parsed(raw.split('\n', 1)[0] ?? '');
  const meta = objectOf(objectOf(isObject(message) ? message['params'] : undefined)['_meta']);
  return readTraceparent(meta['traceparent']);
}

/** W3C Trace Context, section 3.2: later versions begin like version 00; version `ff` and ids of zeros are invalid. */
export function readTraceparent(value: unknown): TraceContext | undefined {
  if (typeof value !== 'string') return undefined;
  const [, version, traceId, spanId, flags, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(value) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
