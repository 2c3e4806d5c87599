import { readStderrLine } from './stderrLine';

/** The place that Node.js names before the exception that ended it. */
const place =
  /^(?:(?:file|webpack(?:-internal)?):\/\/.*|node:\S+|\/.*|[A-Za-z]:[\\/].*|\\\\.*|\[(?:worker )?eval\]\S*|[\w@./-]+\.[cm]?[jt]sx?):\d+$/;
/** What points at the code above it. */
const caret = /^\s*\^+$/;
/** The first frame of the stack, or what Node.js says where there is none. */
const afterThrown = /^(?:\s+at |Node\.js v\d)/;

/** Whether a line is nothing but a place in a file of a script. */
export function isPlace(line: string): boolean {
  const end = line.charCodeAt(line.length - 1);
  return end >= 0x30 && end <= 0x39 && place.test(line);
}

/** Whether a place, the code there and what points at it stand at an index: Node.js puts them before an exception. */
export function isCodeAt(lines: readonly string[], index: number): boolean {
  return caret.test(lines[index + 2] ?? '') && isPlace(lines[index] ?? '');
}

/** Whether a line goes on with an exception that nobody has caught. What was thrown may be anything, until its stack begins. */
export function goesOnInNode(before: readonly string[], line: string): boolean {
  // Code may stand at the beginning of its line.
  if (before.length === 1) return readStderrLine(line).level === undefined;
  if (before.length === 2) return caret.test(line);
  return isCodeAt(before, 0) && !before.some((each) => afterThrown.test(each));
}
