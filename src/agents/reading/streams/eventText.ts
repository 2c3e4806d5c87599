import { boundedJson } from '../../../text/boundedJson';
import type { JsonObject } from '../../../text/json';

/** Fields that every event repeats. */
const envelope = new Set([
  'type',
  'subtype',
  'uuid',
  'session_id',
  'sessionId',
  'sessionID',
  'thread_id',
  'timestamp',
  'parent_tool_use_id',
]);

/** The event's own fields as compact JSON. */
export function restOf(event: JsonObject, without: readonly string[] = []): string {
  const rest = Object.entries(withoutEnvelope(event)).filter(([name]) => !without.includes(name));
  // More fields wouldn't fit.
  return boundedJson(Object.fromEntries(rest.slice(0, 300)), 1000);
}

/** The fields that not every event has. */
export function withoutEnvelope(event: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(event).filter(([name]) => !envelope.has(name)));
}

/** The numbers directly in an object: for a usage object, the counts without their breakdown. */
export function numbersOf(fields: JsonObject): JsonObject | undefined {
  const numbers = Object.entries(fields).filter(([, value]) => typeof value === 'number');
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers.slice(0, 20));
}

/** `1 turn`, `2 turns`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
