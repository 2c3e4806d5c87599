import { deepJson, withoutByteOrderMark } from '../text/jsonText';

/** The JSON value of a line, as a wire event has it: no `msg` if it isn't JSON. */
export function jsonValueOf(line: string): { readonly msg?: unknown } {
  try {
    return { msg: JSON.parse(withoutByteOrderMark(line)) as unknown };
  } catch {
    return {};
  }
}

/** JSON on one line. */
export function jsonInOneLine(text: string, value: unknown): string {
  if (!/[\r\n]/.test(text)) return text;
  // JSON allows a line break only where it allows a space.
  return deepJson(value);
}
