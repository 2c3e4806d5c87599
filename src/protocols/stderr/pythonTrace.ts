/** How Python says that one exception came of another, between the traces of the two. */
const link = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const header = /^(?:Traceback| {2}\+ Exception Group Traceback) \(most recent call last\)/;
/** Below an exception that is a group, lines have a bar for each level of what is in it, until the last is closed. */
const barred = /^\s+[|+]/;
const groupEnd = /^\s+\+-+$/;
/** What the interpreter says of itself where it cannot go on. */
const fatalParts = /^(?:Current thread 0x|Thread 0x|Python runtime state: |Extension modules: )/;
const runtimeState = 'Python runtime state: ';
/** pydantic's message has a line for each field, what is wrong with it being indented below. */
const validation = /^[\w.]{0,200}ValidationError: \d+ validation errors? for /;
const field = /^\S{1,200}$/;

/** Whether the exception itself is still to come: until then the code that is quoted may look like anything. */
export function isInTraceback(lines: readonly string[]): boolean {
  const top = lines.findLast((line) => line !== '' && !isIndented(line));
  // Of a script that cannot be parsed Python names the place alone.
  return top === undefined || top.startsWith('Traceback ');
}

/** Whether a line that is not indented goes on with a traceback, or with how the interpreter failed. */
export function goesOnInPython(before: readonly string[], last: string, line: string): boolean {
  if (link.test(line) || (header.test(line) && link.test(last))) return true;
  if (before[0]?.startsWith('Fatal ') === true) return fatalParts.test(line) || last.startsWith(runtimeState);
  return field.test(line) && before.at(-1) !== '' && (validation.test(last) || isInValidation(before, last));
}

function isInValidation(before: readonly string[], last: string): boolean {
  return isIndented(last) && before.some((line) => validation.test(line));
}

/** Whether a line goes on with the trace of a group of exceptions, which is not over before its last bar: messages may have several lines. */
export function goesOnInGroup(before: readonly string[], last: string, line: string): boolean {
  const bar = before.findLast((each) => barred.test(each)) ?? '';
  return !groupEnd.test(bar) || goesOnInPython(before, last, line);
}

function isIndented(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t');
}
