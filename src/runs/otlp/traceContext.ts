import { isObject, objectOf } from '../../protocols/json';

/** Where a record belongs in a distributed trace. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly traceFlags: number;
}

/** A line longer than this is not parsed once more, in UTF-16 units. */
const maxLine = 1024 * 1024;

/**
 * The trace that a message names in `params._meta.traceparent`, as ACP and MCP (SEP-414) have it.
 * @param raw the line of the wire, or the lines, of which the first is looked at
 */
export function traceOf(raw: string | undefined): TraceContext | undefined {
  // Nearly no message has one: those are not parsed.
  if (raw === undefined || raw.length > maxLine || !raw.includes('"traceparent"')) return undefined;
  const message = parsed(raw.split('\n', 1)[0] ?? '');
  const meta = objectOf(objectOf(isObject(message) ? message['params'] : undefined)['_meta']);
  return readTraceparent(meta['traceparent']);
}

/** W3C Trace Context, section 3.2: all versions begin as 00 does; `ff` and ids of zeros are invalid. */
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
