/** A value as JSON; `undefined` where it is nested too deep, since JSON.parse reads deeper than JSON.stringify writes. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Fields as JSON. Their `data` is an agent's, and where it is nested too deep, a remark stands in its place. */
export function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return jsonText(fields) ?? JSON.stringify({ ...fields, data: '(nested too deep)' });
}
