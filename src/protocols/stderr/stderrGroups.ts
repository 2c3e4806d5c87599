import type { RecordDraft } from '../../log/record';
import type { WireStderr } from '../../wire/wireEvent';
import { groupGap } from './groupGap';
import { isEntryInColumn } from './linePrefix';
import { readStderrLine } from './stderrLine';

/** A group is cut into several beyond these. */
const maxLines = 200;
const maxChars = 32_768;

/** A line that goes on with what the line before began: indented, closing brackets, and the words between the parts of a stack trace. */
const continues =
  /^(?:\s+\S|[}\])]|Caused by\b|\.\.\. \d+ (?:more|lines)|During handling of|The above exception|Node\.js v\d)/;
const isTraceback = /^Traceback \(most recent call last\)/;
/** The place that Node.js names before the exception that ended it. */
const isPlace = /^(?:file:\/\/)?[^\s].*:\d+$/;
const exceptionLine = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)\b/;

interface Group {
  readonly first: WireStderr;
  readonly lines: string[];
  chars: number;
  last: number;
  /** An empty line was there: only an exception still belongs to it. */
  gap: boolean;
}

/**
 * Turns lines of standard error into records, those of one dump or stack trace into one. By itself none is an error: ACP and MCP both say
 * that agents log there.
 */
export class StderrGroups {
  private group: Group | undefined;

  /** @param emit takes each record when it is complete */
  constructor(private readonly emit: (draft: RecordDraft) => void) {}

  /** Whether a group may still grow. */
  get isWaiting(): boolean {
    return this.group !== undefined;
  }

  add(event: WireStderr): void {
    const { group } = this;
    if (group && isClose(event.t, group.last) && this.belongs(group, event.line)) return this.extend(group, event);
    this.complete();
    if (event.line.trim() === '') return;
    this.group = { first: event, lines: [event.line], chars: event.line.length, last: event.t, gap: false };
  }

  /** Nothing more has come until then: what has waited long enough is complete. */
  quiet(t: number): void {
    if (this.group && !isClose(t, this.group.last)) this.complete();
  }

  complete(): void {
    const { group } = this;
    this.group = undefined;
    if (group) this.emit(recordOf(group));
  }

  private belongs(group: Group, line: string): boolean {
    if (group.lines.length >= maxLines || group.chars + line.length > maxChars) return false;
    if (line.trim() === '') return group.lines.length > 1 && !group.gap;
    if (group.gap) return exceptionLine.test(line) || line.startsWith('Node.js v');
    const isInTraceback = isTraceback.test(group.lines[0] ?? '') && /^(?:\s|Traceback)/.test(group.lines.at(-1) ?? '');
    // The code that a Python traceback quotes may look like anything.
    if (continues.test(line)) return isInTraceback || !isEntryInColumn(line);
    // The exception itself stands unindented below it.
    return isInTraceback && group.lines.length > 1;
  }

  private extend(group: Group, { line, t }: WireStderr): void {
    group.gap = line.trim() === '';
    group.lines.push(line);
    group.chars += line.length + 1;
    group.last = t;
  }
}

/** A clock that was set back says nothing about how long it was: nobody waits until it has caught up. */
function isClose(t: number, last: number): boolean {
  return Math.abs(t - last) <= groupGap;
}

function recordOf({ first, lines, last }: Group): RecordDraft {
  const raw = lines.join('\n').trimEnd();
  const start = readStderrLine(lines[0] ?? '');
  const rest = lines.slice(1).join('\n').trimEnd();
  const long = first.bytes === undefined ? '' : ` … (a line of ${first.bytes} bytes)`;
  return {
    receivedAt: last,
    ...(start.time !== undefined && { time: start.time }),
    level: start.level ?? (hasException(lines) ? 'error' : 'info'),
    kind: 'stderr',
    ...(start.logger !== undefined && { logger: start.logger }),
    message: rest === '' ? start.message + long : `${start.message}\n${rest}`,
    ...(start.data !== undefined && { data: start.data }),
    raw,
  };
}

/** A stack trace whose first line does not say what it is: Python's, or Node's own for an exception that nobody caught. */
function hasException(lines: readonly string[]): boolean {
  const [first = ''] = lines;
  if (isTraceback.test(first)) return true;
  return isPlace.test(first) && lines.some((line) => exceptionLine.test(line));
}
