/** JSON nested in strings of JSON, to the given depth. */
export function nested(value: unknown, depth: number): string {
  return depth === 0 ? JSON.stringify(value) : nested({ text: JSON.stringify(value) }, depth - 1);
}

/** The structure of a JSON value: everything except the texts. */
export function shape(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([name, inner]) => [name, shape(inner)]);
}
