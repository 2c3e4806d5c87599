import { readStderrLine } from './stderrLine';

/** The location that Node.js prints before an uncaught exception. */
const place =
  /^(?:(?:file|webpack(?:-internal)?):\/\/.*|node:\S+|\/.*|[A-Za-z]:[\\/].*|\\\\.*|\[(?:worker )?eval\]\S*|[\w@./-]+\.[cm]?[jt]sx?):\d+$/;
/** The marker below the code. */
const caret = /^\s*\^+$/;
/** The first frame of the stack, or the version line if there is no stack. */
const afterThrown = /^(?:\s+at |Node\.js v\d)/;

/** Whether a line is only a location in a script. */
export function isPlace(line: string): boolean {
  const end = line.charCodeAt(line.length - 1);
  return end >= 0x30 && end <= 0x39 && place.test(line);
}

/** Whether a location, its code and the marker start at this index. Node.js prints them before an exception. */
export function isCodeAt(lines: readonly string[], index: number): boolean {
  return caret.test(lines[index + 2] ?? '') && isPlace(lines[index] ?? '');
}

/** Whether a line continues an uncaught exception. The thrown value may be anything, until its stack begins. */
export function goesOnInNode(before: readonly string[], line: string): boolean {
  // The code may be unindented.
  if (before.length === 1) return readStderrLine(line).level === undefined;
  if (before.length === 2) return caret.test(line);
  return isCodeAt(before, 0) && !before.some((each) => afterThrown.test(each));
}
