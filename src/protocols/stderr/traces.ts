/** Whose stack trace it is, as far as its parts do not show by themselves that they belong together. */
export type Trace = 'python' | 'go' | 'rust';

const begins = /^(?:(Traceback \(most recent call last\))|(panic: |fatal error: |goroutine \d)|(thread '))/;
const rustPanic = /^thread '.{0,80}'(?: \(\d{1,20}\))? panicked at /;
/** Its reason stands on the next line. */
const rustPlace = /:\d{1,10}:\d{1,10}:$/;
const rustParts = /^(?:stack backtrace:|note: (?:run with `RUST_BACKTRACE|Some details are omitted))/;
/** How Python says that one exception came of another, between the traces of the two. */
const pythonLink = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const goStack = /^(?:goroutine \d{1,20} .{0,200}\[|runtime stack:$)/;
const goFunction = /^(?:created by \S|\.\.\.(?:additional|\d{1,10}) frames elided|[\w./-][^\s(]{0,500}\(.*)/;

/** The stack trace that a line begins. */
export function traceOf(line: string): Trace | undefined {
  const [found, python, go] = begins.exec(line) ?? [];
  if (found === undefined) return undefined;
  if (python !== undefined) return 'python';
  if (go !== undefined) return 'go';
  return rustPanic.test(line) ? 'rust' : undefined;
}

/** Whether the reason of a panic (Rust) is the line after this one. */
export function isBeforeReason(line: string): boolean {
  return rustPanic.test(line) && rustPlace.test(line);
}

/** Whether a line says of which stack the lines below are (Go). */
export function isGoStack(line: string): boolean {
  return goStack.test(line);
}

/** Whether a line is one of a stack of Go: its functions stand unindented, each above its place. */
export function isInGoStack(line: string, before: string): boolean {
  if (line.startsWith('\t')) return true;
  if (!before.startsWith('\t') && !goStack.test(before)) return false;
  return goFunction.test(line) && (line.endsWith(')') || !line.includes('('));
}

/** Whether a line says only how to see more of the panic above it (Rust), or that its stack follows. */
export function isPartOfPanic(line: string): boolean {
  return rustParts.test(line);
}

/**
 * Whether a line that does not look like one of a stack trace goes on with one.
 * @param before the lines of the trace until now
 * @param last the newest of them that is not empty
 */
export function goesOn(trace: Trace, before: readonly string[], last: string, line: string): boolean {
  switch (trace) {
    case 'python':
      return pythonLink.test(line) || (line.startsWith('Traceback ') && pythonLink.test(last));
    case 'go':
      return line.startsWith('[signal ') || goStack.test(line) || isInGoStack(line, last);
    case 'rust':
      return isPartOfPanic(line) || (before.length === 1 && isBeforeReason(last));
  }
}
