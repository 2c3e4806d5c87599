import type { JsonObject } from '../json';
import { arrayOf, isObject, objectOf, textOf } from '../json';

/** Deeper values aren't converted. */
const maxDepth = 6;
const scalars = ['stringValue', 'boolValue', 'doubleValue', 'bytesValue'];

/** A value of OTLP/JSON (`AnyValue` in opentelemetry/proto/common/v1) as plain JSON; what is plain already stays. */
export function plainValue(value: unknown, depth = 0): unknown {
  if (!isObject(value) || depth >= maxDepth) return value;
  const [[type, inner] = ['', undefined], ...more] = Object.entries(value);
  if (more.length > 0) return value;
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
