import { readStderrLine } from './stderrLine';

/** The origin of a stack trace whose parts can't be recognized on their own; npm's reports are treated the same way. */
export type Trace = 'python' | 'python-group' | 'go' | 'rust' | 'node' | 'npm';

const begins =
  /^(?:(Traceback \(most recent call last\)|Fatal Python error: | {2}File ".{1,300}", line \d{1,10}$)|( {2}\+ Exception Group Traceback \()|(panic: |fatal error: |goroutine \d)|(thread ')|(npm (?:error|ERR!)))/;

/** The first characters of traces, and of indented ones after their two spaces. */
const firstCharacters: ReadonlySet<number> = new Set(Array.from('TFpfgtn', (character) => character.charCodeAt(0)));
const indentedCharacters: ReadonlySet<number> = new Set(Array.from('F+', (character) => character.charCodeAt(0)));
const blank = 0x20;

/** The kind of stack trace that a line begins. */
export function traceOf(line: string): Trace | undefined {
  return (mayBegin(line) ? named(line) : undefined) ?? (isPlace(line) ? 'node' : undefined);
}

/** Fast path: most lines don't begin with any of these characters. */
function mayBegin(line: string): boolean {
  const first = line.charCodeAt(0);
  return first === blank ? indentedCharacters.has(line.charCodeAt(2)) : firstCharacters.has(first);
}

function named(line: string): Trace | undefined {
  const [found, python, group, go, rust] = begins.exec(line) ?? [];
  if (found === undefined) return undefined;
  if (python !== undefined) return 'python';
  if (group !== undefined) return 'python-group';
  if (go !== undefined) return 'go';
  if (rust === undefined) return 'npm';
  return beginsRustTrace(line) ? 'rust' : undefined;
}

/** Whether it is a Python traceback; these may follow one another. */
export function isOfPython(trace: Trace | undefined): boolean {
  return trace === 'python' || trace === 'python-group';
}

/**
 * Whether a line continues a stack trace although it doesn't look like part of one.
 * @param before the lines of the trace so far, the last of which may be empty
 * @param last the newest nonempty one
 */
export function goesOn(trace: Trace, before: readonly string[], last: string, line: string): boolean {
  switch (trace) {
    case 'python':
      return goesOnInPython(before, last, line);
    case 'python-group':
      return goesOnInGroup(before, last, line);
    case 'go':
      return goesOnInGo(last, line);
    case 'rust':
      return goesOnInRust(before, line);
    case 'node':
      return goesOnInNode(before, line);
    case 'npm':
      return before.at(-1) !== '' && line.startsWith(last.slice(0, 'npm ERR!'.length));
  }
}

// Go

const goStack = /^(?:goroutine \d{1,20} .{0,200}\[|runtime stack:$)/;
const goFunction = /^(?:created by \S|\.\.\.(?:additional|\d{1,10}) frames elided|[\w./-][^\s(]{0,500}\(.*)/;

/** Whether a line announces a Go stack. */
export function isGoStack(line: string): boolean {
  return goStack.test(line);
}

/** Whether a line belongs to a stack: function names are unindented, each above its location. */
export function isInGoStack(line: string, before: string): boolean {
  if (line.startsWith('\t')) return true;
  if (!before.startsWith('\t') && !goStack.test(before)) return false;
  return goFunction.test(line) && (line.endsWith(')') || !line.includes('('));
}

/** Whether a line continues a panic. */
function goesOnInGo(last: string, line: string): boolean {
  return line.startsWith('[signal ') || goStack.test(line) || isInGoStack(line, last);
}

// Node.js

/** The location that Node.js prints before an uncaught exception. */
const scriptPlace =
  /^(?:(?:file|webpack(?:-internal)?):\/\/.*|node:\S+|\/.*|[A-Za-z]:[\\/].*|\\\\.*|\[(?:worker )?eval\]\S*|[\w@./-]+\.[cm]?[jt]sx?):\d+$/;
/** The marker below the code. */
const codeMarker = /^\s*\^+$/;
/** The first frame of the stack, or the version line if there is no stack. */
const afterThrown = /^(?:\s+at |Node\.js v\d)/;

/** Whether a line is only a location in a script. */
function isPlace(line: string): boolean {
  const end = line.charCodeAt(line.length - 1);
  return end >= 0x30 && end <= 0x39 && scriptPlace.test(line);
}

/** Whether a location, its code and the marker start at this index. Node.js prints them before an exception. */
export function isCodeAt(lines: readonly string[], index: number): boolean {
  return codeMarker.test(lines[index + 2] ?? '') && isPlace(lines[index] ?? '');
}

/** Whether a line continues an uncaught exception. The thrown value may be anything, until its stack begins. */
function goesOnInNode(before: readonly string[], line: string): boolean {
  // The code may be unindented.
  if (before.length === 1) return readStderrLine(line).level === undefined;
  if (before.length === 2) return codeMarker.test(line);
  return isCodeAt(before, 0) && !before.some((each) => afterThrown.test(each));
}

// Python

/** Links the tracebacks of two exceptions, one of which caused the other. */
const linked = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const tracebackHeader = /^(?:Traceback| {2}\+ Exception Group Traceback) \(most recent call last\)/;
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
function goesOnInPython(before: readonly string[], last: string, line: string): boolean {
  if (linked.test(line) || (tracebackHeader.test(line) && linked.test(last))) return true;
  if (before[0]?.startsWith('Fatal ') === true) return fatalParts.test(line) || last.startsWith(runtimeState);
  return field.test(line) && before.at(-1) !== '' && (validation.test(last) || isInValidation(before, last));
}

function isInValidation(before: readonly string[], last: string): boolean {
  return isIndented(last) && before.some((line) => validation.test(line));
}

/** Whether a line continues the traceback of an exception group, which lasts until its closing bar: messages may have several lines. */
function goesOnInGroup(before: readonly string[], last: string, line: string): boolean {
  const bar = before.findLast((each) => barred.test(each)) ?? '';
  return !groupEnd.test(bar) || goesOnInPython(before, last, line);
}

function isIndented(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t');
}

// Rust

const panic = /^thread '.{0,80}'(?: \(\d{1,20}\))? panicked at /;
const overflow = /^thread '.{0,80}'(?: \(\d{1,20}\))? has overflowed its stack$/;
/** The reason of a panic is on the next line. */
const panicPlace = /:\d{1,10}:\d{1,10}:$/;
const panicParts = /^(?:stack backtrace:|note: (?:run with `RUST_BACKTRACE|Some details are omitted))/;
/** Maximum lines of a reason; nothing marks the end of a later panic's. */
const maxReason = 12;

/** Whether a line starts the report of a panicked thread. */
function beginsRustTrace(line: string): boolean {
  return panic.test(line) || overflow.test(line);
}

/** Whether the next line is the reason of a panic. */
export function isBeforeReason(line: string): boolean {
  return panic.test(line) && panicPlace.test(line);
}

/** Whether a line is the hint about backtraces below a panic, or announces the backtrace. */
export function isPartOfPanic(line: string): boolean {
  return panicParts.test(line);
}

/** Whether a line continues a panic. */
function goesOnInRust(before: readonly string[], line: string): boolean {
  return isPartOfPanic(line) || isOfReason(before, line) || line.startsWith('fatal runtime error: stack overflow');
}

function isOfReason(before: readonly string[], line: string): boolean {
  if (!isBeforeReason(before[0] ?? '')) return false;
  if (before.length === 1) return true;
  if (before.length > maxReason || before.at(-1) === '' || before.some(isPartOfPanic)) return false;
  const { level, time } = readStderrLine(line);
  return level === undefined && time === undefined;
}
