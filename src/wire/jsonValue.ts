import { withoutByteOrderMark } from '../log/byteOrderMark';

/** The JSON value of a line, as a wire event has it: nothing where it is none. */
export function jsonValueOf(line: string): { readonly msg?: unknown } {
  try {
    return { msg: JSON.parse(withoutByteOrderMark(line)) as unknown };
  } catch {
    return {};
  }
}
