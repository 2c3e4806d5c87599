/** Links the tracebacks of two exceptions, one of which caused the other. */
const link = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const header = /^(?:Traceback| {2}\+ Exception Group Traceback) \(most recent call last\)/;
/** Lines of an exception group have a bar per nesting level, until the last is closed. */
const barred = /^\s+[|+]/;
const groupEnd = /^\s+\+-+$/;
/** What the interpreter prints about itself after a fatal error. */
const fatalParts = /^(?:Current thread 0x|Thread 0x|Python runtime state: |Extension modules: )/;
const runtimeState = 'Python runtime state: ';
/** pydantic's message has a line per field, with the error indented below. */
const validation = /^[\w.]{0,200}ValidationError: \d+ validation errors? for /;
const field = /^\S{1,200}$/;

/** Whether the exception itself is still to come. Until then, the quoted code may look like anything. */
export function isInTraceback(lines: readonly string[]): boolean {
  const top = lines.findLast((line) => line !== '' && !isIndented(line));
  // For syntax errors, Python prints only the location.
  return top === undefined || top.startsWith('Traceback ');
}

/** Whether an unindented line continues a traceback or a fatal error. */
export function goesOnInPython(before: readonly string[], last: string, line: string): boolean {
  if (link.test(line) || (header.test(line) && link.test(last))) return true;
  if (before[0]?.startsWith('Fatal ') === true) return fatalParts.test(line) || last.startsWith(runtimeState);
  return field.test(line) && before.at(-1) !== '' && (validation.test(last) || isInValidation(before, last));
}

function isInValidation(before: readonly string[], last: string): boolean {
  return isIndented(last) && before.some((line) => validation.test(line));
}

/** Whether a line continues the traceback of an exception group, which lasts until its closing bar: messages may have several lines. */
export function goesOnInGroup(before: readonly string[], last: string, line: string): boolean {
  const bar = before.findLast((each) => barred.test(each)) ?? '';
  return !groupEnd.test(bar) || goesOnInPython(before, last, line);
}

function isIndented(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t');
}
