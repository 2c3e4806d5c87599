import type { Level } from '../../text/level';
import { reaches } from '../../text/level';

/** The lines of an entry so far. */
export interface Report {
  readonly lines: readonly string[];
  /** The newest that isn't empty. */
  readonly last: string;
  /** Whether an empty line follows it. */
  readonly gap: boolean;
  /** The level that the first line states. */
  readonly level: Level | undefined;
}

/** Lines that only say where an exception came from, and that can't be recognized on their own. */
interface Stack {
  readonly begins: RegExp;
  has(line: string, before: string): boolean;
}

/** How a runtime prints an exception, or a program its failure. Patterns match the beginning of a line. */
export interface Runtime {
  /** The first line of a report that has lines which can't be recognized on their own. */
  readonly begins?: Pick<RegExp, 'test'>;
  /**
   * Whether a line goes on with a report.
   * @param isLogged whether a line states its level or time, as another entry of a log does
   */
  goesOn?(report: Report, line: string, isLogged: (line: string) => boolean): boolean;
  /** Whether its report belongs to the entry above it: an exception that was logged, or a panic that the program survived. */
  isOfEntry?(report: Report): boolean;
  /** Whether its report is about an exception although the first line doesn't say so. */
  hasException?(lines: readonly string[]): boolean;
  /** How it introduces an exception, other than by its name. */
  readonly throws?: RegExp;
  /** Lines that go on with any entry. */
  readonly below?: RegExp;
  /** Frames and other lines that say nothing about the failure. */
  readonly idle?: RegExp;
  readonly stack?: Stack;
  /** Whether a line completes the sentence of the line before it. */
  completes?(line: string, before: string): boolean;
}

/** The name of an exception. */
export const exception = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;
const exceptionWithMessage = /^(?:Uncaught )?[\w$.]{0,100}(?:Error|Exception)(?: \[\w+\])?:\s/;

// Python

/** Links the tracebacks of two exceptions, one of which caused the other. */
const linked = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const tracebackHeader = /^(?:Traceback| {2}\+ Exception Group Traceback) \(most recent call last\)/;
/** Lines of an exception group have a bar per nesting level, until the last is closed. */
const groupHeader = /^ {2}\+ Exception Group Traceback \(/;
const barred = /^\s+[|+]/;
const groupEnd = /^\s+\+-+$/;
/** What the interpreter prints about itself after a fatal error. */
const fatalParts = /^(?:Current thread 0x|Thread 0x|Python runtime state: |Extension modules: )/;
const runtimeState = 'Python runtime state: ';
/** pydantic's message has a line per field, with the error indented below. */
const validation = /^[\w.]{0,200}ValidationError: \d+ validation errors? for /;
const field = /^\S{1,200}$/;

const python: Runtime = {
  begins:
    /^(?:Traceback \(most recent call last\)|Fatal Python error: | {2}File ".{1,300}", line \d{1,10}$| {2}\+ Exception Group Traceback \()/,
  goesOn: (report, line) => isInTraceback(report, line) || isInGroup(report) || isAfterTraceback(report, line),
  isOfEntry: ({ level }) => level !== undefined && reaches(level, 'error'),
  hasException: (lines) =>
    !isIndented(lines[0] ?? '') || lines.some((line) => groupHeader.test(line) || exception.test(line)),
  throws: /^Fatal Python error: /,
  idle: /^\s*\+(?:-\+)?-{4,}(?: \d+ -+)?$/,
};

/** Until the exception itself comes, the quoted code may look like anything. */
function isInTraceback({ lines, gap }: Report, line: string): boolean {
  if (gap || (lines.length === 1 && !isIndented(line))) return false;
  const top = lines.findLast((each) => each !== '' && !isIndented(each));
  // For syntax errors, Python prints only the location.
  return top === undefined || top.startsWith('Traceback ');
}

/** An exception group lasts until its closing bar: messages may have several lines. */
function isInGroup({ lines }: Report): boolean {
  return (
    lines.some((line) => groupHeader.test(line)) && !groupEnd.test(lines.findLast((line) => barred.test(line)) ?? '')
  );
}

/** Whether an unindented line goes on with a traceback or a fatal error. */
function isAfterTraceback({ lines, last, gap }: Report, line: string): boolean {
  if (linked.test(line) || (tracebackHeader.test(line) && linked.test(last))) return true;
  if (lines[0]?.startsWith('Fatal ') === true) return fatalParts.test(line) || last.startsWith(runtimeState);
  if (gap || !field.test(line)) return false;
  return validation.test(last) || (isIndented(last) && lines.some((each) => validation.test(each)));
}

// Go

const goStack = /^(?:goroutine \d{1,20} .{0,200}\[|runtime stack:$)/;
const goFunction = /^(?:created by \S|\.\.\.(?:additional|\d{1,10}) frames elided|[\w./-][^\s(]{0,500}\(.*)/;

const go: Runtime = {
  begins: /^(?:panic: |fatal error: |goroutine \d)/,
  goesOn: ({ last }, line) => line.startsWith('[signal ') || goStack.test(line) || isInGoStack(line, last),
  isOfEntry: ({ last }) => last.includes('panic'),
  // A compiler's fatal error isn't a crash, and stacks are also printed for other reasons.
  hasException: (lines) => !goStack.test(lines[0] ?? '') && lines.some((line) => goStack.test(line)),
  throws: /^panic: /,
  stack: { begins: goStack, has: isInGoStack },
};

/** Names of functions are unindented, each above its location. */
function isInGoStack(line: string, before: string): boolean {
  if (line.startsWith('\t')) return true;
  if (!before.startsWith('\t') && !goStack.test(before)) return false;
  return goFunction.test(line) && (line.endsWith(')') || !line.includes('('));
}

// Rust

const threadDies = /^thread '.{0,80}'(?: \(\d{1,20}\))? (?:panicked at |has overflowed its stack$)/;
/** The reason of a panic is on the next line if the first ends with the location. */
const panicWithPlace = /^thread '.{0,80}'(?: \(\d{1,20}\))? panicked at .*:\d{1,10}:\d{1,10}:$/;
const panicParts = /^(?:stack backtrace:|note: (?:run with `RUST_BACKTRACE|Some details are omitted))/;
/** Maximum lines of a reason; nothing marks the end of a later panic's. */
const maxReason = 12;

/** The parts of an error of anyhow. */
const partOfError = /^(?:Caused by|Stack backtrace):$/;

const rust: Runtime = {
  begins: threadDies,
  goesOn: (report, line, isLogged) =>
    panicParts.test(line) ||
    isReason(report, () => isLogged(line)) ||
    line.startsWith('fatal runtime error: stack overflow'),
  throws: new RegExp(`${threadDies.source}|^fatal runtime error: `),
  idle: panicParts,
  stack: { begins: /^stack backtrace:$/i, has: (line) => /^\s+(?:\d{1,4}: |at )/.test(line) },
  completes: (_, before) => panicWithPlace.test(before),
};

function isReason({ lines, gap }: Report, isLogged: () => boolean): boolean {
  if (!panicWithPlace.test(lines[0] ?? '')) return false;
  if (lines.length === 1) return true;
  return lines.length <= maxReason && !gap && !lines.some((line) => panicParts.test(line)) && !isLogged();
}

// Node.js

/** The location that Node.js prints before an uncaught exception. */
const scriptPlace =
  /^(?:(?:file|webpack(?:-internal)?):\/\/.*|node:\S+|\/.*|[A-Za-z]:[\\/].*|\\\\.*|\[(?:worker )?eval\]\S*|[\w@./-]+\.[cm]?[jt]sx?):\d+$/;
/** The marker below the code. */
const codeMarker = /^\s*\^+$/;
/** The first frame of the stack, or the version line if there is no stack. */
const afterThrown = /^(?:\s+at |Node\.js v\d)/;
const requireStack = 'Require stack:';
/** The last frame of a stack, if the exception's fields are printed below it. */
export const frameBeforeFields = /^\s+at .* \{$/;
/** Only nested exceptions among the fields add information. */
export const innerException = /^\s+(?:\[cause\]: |\[errors\]: \[ ?)?[\w$.]*(?:Error|Exception)(?: \[\w+\])?: /;

const node: Runtime = {
  begins: { test: isPlace },
  goesOn({ lines }, line, isLogged) {
    // The code may be unindented.
    if (lines.length === 1) return !isLogged(line);
    if (lines.length === 2) return codeMarker.test(line);
    // The thrown value may be anything, until its stack begins.
    return isCodeAt(lines, 0) && !lines.some((each) => afterThrown.test(each));
  },
  hasException: (lines) => isCodeAt(lines, 0) || lines.some((line) => exception.test(line)),
  below: /^(?:Node\.js v\d|Emitted '.{1,80}' event )/,
  idle: /^(?:\s+at |at \S.{0,400}(?:\)|:\d+)$|\s*(?:Node\.js v|Emitted 'error' event|\(Use `node --trace-))/,
  stack: { begins: /^Require stack:$/, has: (line) => line.startsWith('- ') },
};

/** Whether a line is only a location in a script. Few lines end with a digit. */
function isPlace(line: string): boolean {
  const end = line.charCodeAt(line.length - 1);
  return end >= 0x30 && end <= 0x39 && scriptPlace.test(line);
}

/** Whether a location, its code and the marker start at this index. */
export function isCodeAt(lines: readonly string[], index: number): boolean {
  return codeMarker.test(lines[index + 2] ?? '') && isPlace(lines[index] ?? '');
}

/** Whether a line is of the list of files that Node.js prints between an exception and its stack. */
export function isOfRequireStack({ lines, last }: Report, line: string): boolean {
  if (line === requireStack) return last.includes('Cannot find module');
  return line.startsWith('- ') && (last === requireStack || (last.startsWith('- ') && lines.includes(requireStack)));
}

/** The runtimes, and programs whose reports have several lines. */
const runtimes: readonly Runtime[] = [
  python,
  go,
  rust,
  node,
  // V8, when it crashes
  { idle: /^\s*(?:\d+: 0x[\da-f]+ |----- .* -----$)/ },
  // Bun
  { idle: /^\s*Bun v\d/ },
  // Java
  {
    throws: /^Exception in thread ".{0,80}" \S/,
    below: /^(?:Caused by\b|\.\.\. \d+ (?:more|lines))/,
    idle: /^\s*\.\.\. \d+ more$/,
  },
  // .NET
  { throws: /^Unhandled [Ee]xception[.:] \S/, idle: /^\s*(?:File name: '|--- End of )/ },
  // Ruby
  { idle: /^\s*from \S+:\d+:in / },
  // PHP
  { idle: /^\s*thrown in \S+ on line \d/ },
  // npm
  {
    begins: /^npm (?:error|ERR!)/,
    goesOn: ({ last, gap }, line) => !gap && line.startsWith(last.slice(0, 'npm ERR!'.length)),
    idle: /^\s*npm notice\b/,
  },
  // Windows, about a command that is missing
  {
    begins: /^['"].{1,300} command,$/,
    goesOn: ({ lines }, line) => lines.length === 1 && line.startsWith('operable program'),
    completes: (line, before) => before.endsWith(' command,') && line.startsWith('operable program'),
  },
];

const withReports = runtimes.filter(({ begins }) => begins);
/** Lines that continue whatever entry is above them: indented, closing brackets, and the text between the parts of a stack trace. */
export const below = anyOf([/^(?:\s+\S|[}\])])/, ...runtimes.map((runtime) => runtime.below)]);
/** Lines that say nothing about the failure. */
export const idle = anyOf(runtimes.map((runtime) => runtime.idle));
/** An exception with its message, however its runtime introduces it. */
export const thrown = anyOf([exceptionWithMessage, ...runtimes.map(({ throws }) => throws)]);
const stacks = runtimes.flatMap(({ stack }) => stack ?? []);

function anyOf(patterns: readonly (RegExp | undefined)[]): RegExp {
  return new RegExp(patterns.flatMap((pattern) => pattern?.source ?? []).join('|'));
}

/** The runtime whose report a line begins. */
export function runtimeOf(line: string): Runtime | undefined {
  return withReports.find(({ begins }) => begins?.test(line));
}

/** Whether a line may be the first about what ends a process. */
export function mayEndProcess(line: string): boolean {
  return exception.test(line) || runtimeOf(line) !== undefined || /^(?:Uncaught|fatal)\b/i.test(line);
}

/** Whether a line continues the entry above an empty line. */
export function isBelowGap(line: string, lines: readonly string[]): boolean {
  return (lines.length > 2 && (exception.test(line) || line.startsWith('Node.js v'))) || partOfError.test(line);
}

/** The stack that a line announces. */
export function stackBelow(line: string): Stack | undefined {
  return stacks.find(({ begins }) => begins.test(line));
}

/** Whether a line completes the sentence of the line before it. */
export function completes(line: string, before: string): boolean {
  return runtimes.some((runtime) => runtime.completes?.(line, before));
}

function isIndented(line: string): boolean {
  return line.startsWith(' ') || line.startsWith('\t');
}
