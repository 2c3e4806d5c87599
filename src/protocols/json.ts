import { ownHead } from '../log/ownText';

/** A JSON object with unchecked fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one, so that reading a missing field gives `undefined`. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value when it is a string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A request id as JSON-RPC 2.0 (section 4) allows it, without null. */
export type RequestId = string | number;

/** An id or a method longer than this is cut, always the same way: a thousand of them may be open. */
const maxName = 256;

export function requestIdOf(value: unknown): RequestId | undefined {
  return typeof value === 'string' ? boundedName(value) : typeof value === 'number' ? value : undefined;
}

/** The name of a method, which is not empty. */
export function methodOf(value: unknown): string | undefined {
  const method = textOf(value);
  return method === undefined ? undefined : boundedName(method);
}

function boundedName(name: string): string {
  return name.length <= maxName ? name : `${ownHead(name, maxName)}… (${name.length} characters)`;
}

/** The same id in JSON's other type: `"1"` for 1 and 1 for `"1"`; `undefined` for a string that is no number's. */
export function twinOf(id: RequestId): RequestId | undefined {
  if (typeof id === 'number') return String(id);
  return String(Number(id)) === id ? Number(id) : undefined;
}
