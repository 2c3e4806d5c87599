/** The JSON value of a line, as a wire event has it: nothing where it is none. */
export function jsonValueOf(line: string): { readonly msg?: unknown } {
  try {
    // Some programs on Windows begin their output with a byte order mark.
    return { msg: JSON.parse(line.startsWith('\ufeff') ? line.slice(1) : line) as unknown };
  } catch {
    return {};
  }
}
