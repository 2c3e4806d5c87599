import type { RunProtocol } from '../protocol';
import { isRunProtocol } from '../protocol';
import { parsedJson, withoutByteOrderMark } from '../../text/jsonText';
import type { WireEvent, WireMessage, WirePiece } from '../wireEvent';

/** The first line of a journal. */
export interface JournalHeader {
  readonly journal: 1;
  readonly agent: string;
  /** Empty if it is unknown. */
  readonly protocol: RunProtocol | '';
  readonly command: readonly string[];
  readonly cwd: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Number of the file within the run, from 1: a journal that grows too large continues in another file. */
  readonly part: number;
  /**
   * If a tap writes it: its process, the level that it declared, and how often it touches the file while nothing is logged, in seconds. An
   * unfinished journal whose process is gone was abandoned.
   */
  readonly tap?: { readonly pid: number; readonly level?: string; readonly beat?: number };
  /** If a VS Code window writes it: its extension host, likewise. */
  readonly host?: { readonly pid: number; readonly beat?: number };
  /** Whether everything in it is redacted. */
  readonly redacted?: true;
}

/** The version of a journal's form. */
const form = 1;
/** Maximum length of a header, in bytes. Systems limit command lines to about this. */
export const maxHeader = 4 * 1024 * 1024;

/** Reads the first line of a journal; `undefined` if it isn't a header. Invalid fields are left empty. */
export function readJournalHeader(line: string): JournalHeader | undefined {
  return journalHeader(objectOf(parsedJson(line)));
}

/** The same for its fields. */
export function journalHeader(fields: Readonly<Record<string, unknown>>): JournalHeader | undefined {
  if (fields['journal'] !== form) return undefined;
  const { command, part, protocol } = fields;
  const { level } = objectOf(fields['tap']);
  const tap = processOf(fields['tap']);
  const host = processOf(fields['host']);
  return {
    journal: form,
    agent: textOf(fields['agent']),
    protocol: isRunProtocol(protocol) ? protocol : '',
    command: Array.isArray(command) ? command.filter((word) => typeof word === 'string') : [],
    cwd: textOf(fields['cwd']),
    startedAt: textOf(fields['startedAt']),
    part: isPositive(part) ? part : 1,
    ...(tap && { tap: { ...tap, ...(typeof level === 'string' && { level }) } }),
    ...(host && { host }),
    ...(fields['redacted'] === true && { redacted: true }),
  };
}

/** Whether a line is the header of a journal whose form isn't known yet. */
export function isNewerJournal(line: string): boolean {
  const { journal } = objectOf(parsedJson(line));
  return typeof journal === 'number' && journal > form;
}

/**
 * A wire event as a line of a journal, without its line break: `t` in ISO 8601, `ms` since the start, `dir`, and either `msg` (the JSON message
 * as sent, with spaces instead of line breaks), `line` (text that isn't JSON) or `ev` with its fields. A line that is too long to log comes in
 * pieces (`part`), followed by `line` (its beginning) or `msg` (the message with its long strings cut), with the length of the line in `bytes`
 * and the length of the pieces in `kept`.
 * @param time the event's time in ISO 8601, if the caller has it
 */
export function journalLine(event: WireEvent | WirePiece, startedAt: number, time = isoTime(event.t)): string {
  const start = lineStart(event, startedAt, time);
  if (event.dir === 'ev') {
    const { t: _t, dir: _dir, ...fields } = event;
    return `${start},${JSON.stringify(fields).slice(1)}`;
  }
  if ('part' in event) return `${start},"part":${JSON.stringify(event.part)}}`;
  const kept = event.kept === undefined ? '' : `,"kept":${event.kept}`;
  const cut = event.bytes === undefined ? '' : `,"bytes":${event.bytes}${kept}`;
  // Valid JSON is copied as it is.
  if (event.dir !== 'err' && (event.isLog === true || event.msg !== undefined)) {
    // Not next to `dir`, so that `JournalReader` doesn't take it for the whole message.
    const before = cut === '' ? beforeMessage(event, startedAt, time) : `${start}${cut},"msg":`;
    return `${before}${inOneLine(withoutByteOrderMark(event.line))}}`;
  }
  return `${start},"line":${JSON.stringify(event.line)}${cut}}`;
}

/**
 * Messages with a Content-Length may contain line breaks, which would be lines of the journal. JSON allows a line break only where it allows a
 * space.
 */
function inOneLine(json: string): string {
  return json.includes('\n') ? json.replace(/[\r\n]/g, ' ') : json;
}

/** The part before a message in its line of a journal; a closing brace follows the message. */
export function beforeMessage(
  event: Pick<WireMessage, 't' | 'dir'>,
  startedAt: number,
  time = isoTime(event.t),
): string {
  return `${lineStart(event, startedAt, time)},"msg":`;
}

function lineStart({ t, dir }: Pick<WireEvent | WirePiece, 't' | 'dir'>, startedAt: number, time: string): string {
  return `{"t":"${time}","ms":${finite(t - startedAt)},"dir":"${dir}"`;
}

/** JSON can't represent other numbers. */
function finite(ms: number): number {
  return Number.isFinite(ms) ? ms : 0;
}

/** ISO 8601; the epoch for times out of range, so that a wrong clock doesn't stop the journal. */
export function isoTime(t: number): string {
  return Math.abs(t) <= 8.64e15 ? new Date(t).toISOString() : new Date(0).toISOString();
}

function processOf(writer: unknown): { readonly pid: number; readonly beat?: number } | undefined {
  const { pid, beat } = objectOf(writer);
  if (!isPositive(pid)) return undefined;
  return { pid, ...(isPositive(beat) && { beat }) };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The value if it is a string, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
