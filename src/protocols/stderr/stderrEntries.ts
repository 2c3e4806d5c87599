import { ownEnds } from '../../text/ownText';
import type { RecordDraft } from '../../text/record';
import type { SaidLine, StderrEntry, StderrLine } from '../../work/facts';
import type { WireStderr } from '../../wire/wireEvent';
import { isEntryInColumn } from './linePrefix';
import type { Report, Runtime } from './runtimes';
import { below, isBelowGap, isOfRequireStack, runtimeOf } from './runtimes';
import { saidIn } from './saidLines';
import { readStderrLine } from './stderrLine';

/** Maximum time between two lines of an entry, in milliseconds: a dump is written at once. */
export const entryGap = 100;
/** Larger entries are split. */
const maxLines = 200;
const maxChars = 32_768;
/** Maximum length of what a line says, in characters. */
const maxText = 8192;

interface OpenEntry {
  readonly first: WireStderr;
  readonly start: StderrLine;
  runtime: Runtime | undefined;
  readonly lines: string[];
  chars: number;
  last: number;
  /** After an empty line, only an exception or another part of a stack trace continues the entry. */
  gap: boolean;
}

/**
 * Reads lines of standard error as entries; the lines of a dump or stack trace become one. A line isn't an error by default: ACP and MCP both say
 * that agents log to standard error.
 */
export class StderrEntries {
  private open: OpenEntry | undefined;

  /** @param emit receives each entry when it is complete, and what to log of it */
  constructor(private readonly emit: (entry: StderrEntry, draft: RecordDraft) => void) {}

  /** Whether an entry may still grow. */
  get isWaiting(): boolean {
    return this.open !== undefined;
  }

  add(event: WireStderr): void {
    const { open } = this;
    const { line, t } = event;
    const runtime = runtimeOf(line);
    if (open && isClose(t, open.last) && belongs(open, line, runtime)) return extend(open, event, runtime);
    this.complete();
    if (line.trim() === '') return;
    const start = readStderrLine(line);
    this.open = { first: event, start, runtime, lines: [line], chars: line.length, last: t, gap: false };
  }

  /** Completes the entry if it has waited long enough at this time. */
  quiet(t: number): void {
    if (this.open && !isClose(t, this.open.last)) this.complete();
  }

  complete(): void {
    const { open } = this;
    this.open = undefined;
    if (!open) return;
    const { first, lines, last } = open;
    const raw = lines.join('\n').trimEnd();
    this.emit({ event: first, t: last, raw, said: said(open) }, draftOf(open, raw));
  }
}

function belongs(open: OpenEntry, line: string, begun: Runtime | undefined): boolean {
  const { lines, gap, runtime, start } = open;
  if (lines.length >= maxLines || open.chars + line.length > maxChars) return false;
  if (line.trim() === '') return !gap;
  const report: Report = { lines, last: lines.at(gap ? -2 : -1) ?? '', gap, level: start.level };
  if (runtime?.goesOn?.(report, line, isLogged) === true) return true;
  if (gap) return isBelowGap(line, lines);
  if (begun && !runtime) {
    if (begun.isOfEntry?.(report) === true) return true;
    // Some reports begin with an indented line.
    if (/^\s/.test(line)) return false;
  }
  return below.test(line) ? !isEntryInColumn(line) : isOfRequireStack(report, line);
}

function isLogged(line: string): boolean {
  const { level, time } = readStderrLine(line);
  return level !== undefined || time !== undefined;
}

function extend(open: OpenEntry, { line, t }: WireStderr, begun: Runtime | undefined): void {
  open.runtime ??= begun;
  open.gap = line.trim() === '';
  open.lines.push(line);
  open.chars += line.length + 1;
  if (!open.gap) open.last = t;
}

/** Compares the absolute difference: if the clock was set back, the entry must not wait until it catches up. */
function isClose(t: number, last: number): boolean {
  return Math.abs(t - last) <= entryGap;
}

/** What the lines of an entry say, each read once. */
function said({ lines, start }: OpenEntry): readonly SaidLine[] {
  const { lines: kept, isIdle } = saidIn(lines);
  return kept.map((text) => {
    const read = text === lines[0] ? start : readStderrLine(text);
    return {
      ...read,
      text: ownEnds(text, maxText),
      message: ownEnds(read.message, maxText),
      ...(isIdle && { isIdle }),
    };
  });
}

function draftOf({ first, start, runtime, lines, last }: OpenEntry, raw: string): RecordDraft {
  const rest = lines.slice(1).join('\n').trimEnd();
  const long = first.bytes === undefined ? '' : ` … (a line of ${first.bytes} bytes)`;
  return {
    receivedAt: last,
    ...(start.time !== undefined && { time: start.time }),
    level: start.level ?? (runtime?.hasException?.(lines) === true ? 'error' : 'info'),
    kind: 'stderr',
    ...(start.logger !== undefined && { logger: start.logger }),
    message: rest === '' ? start.message + long : `${start.message}\n${rest}`,
    ...(start.data !== undefined && { data: start.data }),
    raw,
  };
}
