import type { JsonObject } from '../../text/json';
import { objectOf } from '../../text/json';

/** `trace_id` and `TraceId` are `traceId`. */
export function camelCase(name: string): string {
  const joined = name.includes('_') ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : name;
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** The fields of a message by the names of Protocol Buffers' JSON mapping, whose readers accept the original names, too: `trace_id`. */
export function messageFields(message: unknown): JsonObject {
  const fields = objectOf(message);
  const names = Object.keys(fields);
  if (!names.some((name) => name.includes('_'))) return fields;
  return Object.fromEntries(names.map((name) => [camelCase(name), fields[name]]));
}

/** An ID of a trace or span. OTLP's are hexadecimal, in either case; others are base64, where the case counts. */
export function traceIdIn(value: unknown): string {
  if (typeof value !== 'string') return '';
  return /^(?:[0-9A-Fa-f]{16}|[0-9A-Fa-f]{32})$/.test(value) ? value.toLowerCase() : value;
}
