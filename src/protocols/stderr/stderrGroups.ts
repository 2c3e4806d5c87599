import { reaches } from '../../log/level';
import type { RecordDraft } from '../../log/record';
import type { WireStderr } from '../../wire/wireEvent';
import { isGoStack, goesOn, isOfPython, traceOf, isCodeAt, isInTraceback } from './traces';
import { isEntryInColumn } from './linePrefix';
import { readStderrLine } from './stderrLine';
import type { Trace } from './traces';

/** Larger groups are split. */
const maxLines = 200;
const maxChars = 32_768;

/** A line that continues the previous one: indented lines, closing brackets, and the text between the parts of a stack trace. */
const continues = /^(?:\s+\S|[}\])]|Caused by\b|\.\.\. \d+ (?:more|lines)|Node\.js v\d|Emitted '.{1,80}' event )/;
/** Continues an error even after an empty line, as in anyhow (Rust). */
const partOfError = /^(?:Caused by|Stack backtrace):$/;
/** Node.js prints this between an exception and its stack, followed by a list of files with hyphens. */
const requireStack = 'Require stack:';
const exceptionLine = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;

interface Group {
  readonly first: WireStderr;
  trace: Trace | undefined;
  readonly lines: string[];
  chars: number;
  last: number;
  /** After an empty line, only an exception or another part of a stack trace continues the group. */
  gap: boolean;
}

/**
 * Turns lines of standard error into records; the lines of a dump or stack trace become one record. A line isn't an error by default: ACP and MCP
 * both say that agents log to standard error.
 */
export class StderrGroups {
  private group: Group | undefined;

  /** @param emit receives each record when it is complete */
  constructor(private readonly emit: (draft: RecordDraft) => void) {}

  /** Whether a group may still grow. */
  get isWaiting(): boolean {
    return this.group !== undefined;
  }

  add(event: WireStderr): void {
    const { group } = this;
    const trace = traceOf(event.line);
    if (group && isClose(event.t, group.last) && belongs(group, event.line, trace)) return extend(group, event, trace);
    this.complete();
    if (event.line.trim() === '') return;
    const { line, t } = event;
    this.group = { first: event, trace, lines: [line], chars: line.length, last: t, gap: false };
  }

  /** Completes groups that have waited long enough at this time. */
  quiet(t: number): void {
    if (this.group && !isClose(t, this.group.last)) this.complete();
  }

  complete(): void {
    const { group } = this;
    this.group = undefined;
    if (group) this.emit(recordOf(group));
  }
}

function belongs(group: Group, line: string, begun: Trace | undefined): boolean {
  if (group.lines.length >= maxLines || group.chars + line.length > maxChars) return false;
  const { trace, lines, gap } = group;
  if (line.trim() === '') return !gap;
  const last = lines.at(gap ? -2 : -1) ?? '';
  if (gap && lines.length > 2 && (exceptionLine.test(line) || line.startsWith('Node.js v'))) return true;
  if (trace !== undefined && goesOn(trace, lines, last, line)) return true;
  if (gap) return partOfError.test(line);
  if (trace === 'python' && isInTraceback(lines)) return lines.length > 1 || /^\s/.test(line);
  if (begun !== undefined && trace === undefined) {
    if (isBelowEntry(begun, lines, last)) return true;
    // Some traces begin with an indented line.
    if (/^\s/.test(line)) return false;
  }
  if (continues.test(line)) return !isEntryInColumn(line);
  return isOfRequireStack(line, last, lines);
}

/** Whether a stack trace belongs to the entry above it: an exception that was logged, or a panic that the server survived. */
function isBelowEntry(begun: Trace, lines: readonly string[], last: string): boolean {
  if (begun === 'go') return last.includes('panic');
  if (!isOfPython(begun)) return false;
  const { level } = readStderrLine(lines[0] ?? '');
  return level !== undefined && reaches(level, 'error');
}

function extend(group: Group, { line, t }: WireStderr, begun: Trace | undefined): void {
  if (group.trace === undefined || (isOfPython(group.trace) && isOfPython(begun))) group.trace = begun ?? group.trace;
  group.gap = line.trim() === '';
  group.lines.push(line);
  group.chars += line.length + 1;
  if (!group.gap) group.last = t;
}

/** Compares the absolute difference: if the clock was set back, the group must not wait until it catches up. */
function isClose(t: number, last: number): boolean {
  return Math.abs(t - last) <= groupGap;
}

function isOfRequireStack(line: string, last: string, lines: readonly string[]): boolean {
  if (line === requireStack) return last.includes('Cannot find module');
  return line.startsWith('- ') && (last === requireStack || (last.startsWith('- ') && lines.includes(requireStack)));
}

function recordOf({ first, trace, lines, last }: Group): RecordDraft {
  const raw = lines.join('\n').trimEnd();
  const start = readStderrLine(lines[0] ?? '');
  const rest = lines.slice(1).join('\n').trimEnd();
  const long = first.bytes === undefined ? '' : ` … (a line of ${first.bytes} bytes)`;
  return {
    receivedAt: last,
    ...(start.time !== undefined && { time: start.time }),
    level: start.level ?? (hasException(trace, lines) ? 'error' : 'info'),
    kind: 'stderr',
    ...(start.logger !== undefined && { logger: start.logger }),
    message: rest === '' ? start.message + long : `${start.message}\n${rest}`,
    ...(start.data !== undefined && { data: start.data }),
    raw,
  };
}

/** Whether a stack trace is of an exception although its first line doesn't say so: Python's, Go's, or Node's for an uncaught exception. */
function hasException(trace: Trace | undefined, lines: readonly string[]): boolean {
  const [first = ''] = lines;
  switch (trace) {
    case 'python-group':
      return true;
    case 'python':
      return /^\S/.test(first) || lines.some((line) => exceptionLine.test(line));
    case 'go':
      // A compiler's fatal error isn't a crash, and stacks are also printed for other reasons.
      return !isGoStack(first) && lines.some(isGoStack);
    case 'node':
      return isCodeAt(lines, 0) || lines.some((line) => exceptionLine.test(line));
    default:
      return false;
  }
}

/** Maximum time between two lines of a group, in milliseconds: a dump is written at once. */
export const groupGap = 100;
