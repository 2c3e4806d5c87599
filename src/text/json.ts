import { ownHead } from './ownText';

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

/** The value if it is a string that isn't empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Those of the values that are strings and not empty. */
export function textsOf(...values: readonly unknown[]): string[] {
  return values.flatMap((value) => textOf(value) ?? []);
}

/** The value if it is a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A JSON-RPC 2.0 request ID (section 4), without null. */
export type RequestId = string | number;

/** Maximum length of IDs and methods, in characters: up to a thousand may be open. They are always cut the same way, so that they still match. */
const maxName = 256;

export function requestIdOf(value: unknown): RequestId | undefined {
  return typeof value === 'string' ? boundedName(value) : typeof value === 'number' ? value : undefined;
}

/** A method name that isn't empty. */
export function methodOf(value: unknown): string | undefined {
  const method = textOf(value);
  return method === undefined ? undefined : boundedName(method);
}

function boundedName(name: string): string {
  return name.length <= maxName ? name : `${ownHead(name, maxName)}… (${name.length} characters)`;
}

/** The same ID in the other JSON type: `"1"` for 1 and 1 for `"1"`. `undefined` for a string that isn't a number. */
export function twinOf(id: RequestId): RequestId | undefined {
  if (typeof id === 'number') return String(id);
  return String(Number(id)) === id ? Number(id) : undefined;
}
