import { withoutByteOrderMark } from '../../log/bytes/byteOrderMark';
import { jsonText } from '../../log/jsonText';
import { isReason, isTerminator } from '../../log/termination';
import type { ConnectionEvent, ProcessEvent, WireEvent, WireMessage, WirePiece } from '../wireEvent';

/** The first line of a journal. */
export interface JournalHeader {
  readonly journal: 1;
  readonly agent: string;
  readonly protocol: string;
  readonly command: readonly string[];
  readonly cwd: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Which of a run's files it is, from 1: a journal that grows too large goes on in the next. */
  readonly part: number;
  /**
   * If a tap writes it: its process, without which an unfinished journal is abandoned, the level it declared, if any, and how often it touches the
   * file while nothing is logged, in seconds.
   */
  readonly tap?: { readonly pid: number; readonly level?: string; readonly beat?: number };
  /** If a window of VS Code writes it: its extension host, likewise. */
  readonly host?: { readonly pid: number; readonly beat?: number };
  /** Whether secrets were taken out of all that stands in it. */
  readonly redacted?: true;
}

/**
 * One wire event as a line of a journal, without its line break: `t` in ISO 8601, `ms` since the start, `dir`, and either `msg` (the JSON
 * message, byte for byte as it crossed, but for line breaks, which are spaces here), `line` (text that is no JSON value) or `ev` with its
 * fields. A line that is too long to be logged comes in pieces (`part`); after them comes `line` (how it begins) or `msg` (the message with its
 * long strings cut), with the length of the line in `bytes` and how much of it the pieces hold in `kept`.
 * @param time the event's time in ISO 8601, where it is at hand
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
  // What parsed is one JSON value: it stands in the line as it came, and nothing is stringified again.
  if (event.dir !== 'err' && event.msg !== undefined) {
    // `msg` isn't next to `dir` then: readers in a hurry must not take it for all of the message.
    const before = cut === '' ? beforeMessage(event, startedAt, time) : `${start}${cut},"msg":`;
    return `${before}${inOneLine(withoutByteOrderMark(event.line))}}`;
  }
  return `${start},"line":${JSON.stringify(event.line)}${cut}}`;
}

/**
 * Where messages have their length before them, they may be laid out in lines. Those would be lines of the journal: lost to its readers, or
 * taken for events of their own. In JSON a line break can only stand where a space can.
 */
function inOneLine(json: string): string {
  return json.includes('\n') ? json.replace(/[\r\n]/g, ' ') : json;
}

/** What stands before a message in its line of a journal; behind it stands a closing brace. */
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

/** Reads a line of a journal, or of a recorded transcript, which has `line` throughout and no header. `undefined` for what is no event. */
export function readJournalLine(text: string): WireEvent | undefined {
  const quick = readOwnMessage(text);
  if (quick) return quick;
  const entry = parse(text);
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { t: time, dir, line, msg, bytes, kept } = entry as Record<string, unknown>;
  const t = typeof time === 'string' ? Date.parse(time) : NaN;
  if (!Number.isFinite(t)) return undefined;
  const length: { bytes?: number; kept?: number } =
    typeof bytes === 'number' ? { bytes, ...(typeof kept === 'number' && { kept }) } : {};
  if (dir === 'ev') return processEvent(t, entry as Record<string, unknown>);
  if (dir === 'err') return typeof line === 'string' ? { t, dir, line, ...length } : undefined;
  if (dir !== 'c2a' && dir !== 'a2c') return undefined;
  if (typeof line !== 'string') {
    const text = msg === undefined ? undefined : jsonText(msg);
    return text === undefined ? undefined : { t, dir, line: text, msg, ...length };
  }
  if (length.bytes !== undefined) return { t, dir, line, ...length };
  const value = parse(line);
  return { t, dir, line, ...(value !== undefined && { msg: value }) };
}

/** Whether a line that is no event has its place in a journal: a header, or a piece of an over-long line. */
export function isJournalPart(text: string): boolean {
  const entry = parse(text);
  if (typeof entry !== 'object' || entry === null) return false;
  return 'journal' in entry || ('part' in entry && typeof entry.part === 'string');
}

/** A message as this file writes it, without parsing and stringifying it once more. */
function readOwnMessage(text: string): WireEvent | undefined {
  const [start, time, dir] = ownMessage.exec(text) ?? [];
  if (start === undefined || time === undefined || (dir !== 'c2a' && dir !== 'a2c') || !text.endsWith('}')) {
    return undefined;
  }
  const t = Date.parse(time);
  const line = text.slice(start.length, -1);
  const msg = parse(line);
  return Number.isNaN(t) || msg === undefined ? undefined : { t, dir, line, msg };
}

const ownMessage = /^\{"t":"([^"]{1,40})","ms":-?\d+,"dir":"(c2a|a2c)","msg":/;

function processEvent(t: number, entry: Record<string, unknown>): WireEvent | undefined {
  const event = readProcessEvent(entry) ?? readConnectionEvent(entry);
  return event && { t, dir: 'ev', ...event };
}

function readProcessEvent(entry: Record<string, unknown>): ProcessEvent | undefined {
  const { ev, pid, command, cmd, cwd, message, method, ms, signal, code, bytes } = entry;
  switch (ev) {
    case 'spawn': {
      const words: unknown = command ?? cmd;
      return { ev, pid: numberOf(pid), command: Array.isArray(words) ? words.map(textOf) : [], cwd: textOf(cwd) };
    }
    case 'start-failed':
      return { ev, message: textOf(message) };
    case 'waiting':
      return { ev, method: textOf(method), ms: numberOf(ms) };
    case 'stdin-close':
    case 'stdout-close':
    case 'left-behind':
      return { ev };
    case 'skipped':
      return { ev, bytes: numberOf(bytes) };
    case 'signal':
      return { ev, signal: textOf(signal) };
    case 'SIGTERM': // so the recorded transcripts have it
      return { ev: 'signal', signal: ev };
    case 'end':
      if (!isReason(entry['reason']) || !isTerminator(entry['terminatedBy'])) return undefined;
      return {
        ev,
        reason: entry['reason'],
        terminatedBy: entry['terminatedBy'],
        ...(typeof message === 'string' && { message }),
      };
    case 'exit':
      return {
        ev,
        code: typeof code === 'number' ? code : null,
        signal: typeof signal === 'string' ? signal : null,
      };
    default:
      return undefined;
  }
}

function readConnectionEvent(entry: Record<string, unknown>): ConnectionEvent | undefined {
  const { ev, url, method, status, message, requestId, cancels, attempt, ms } = entry;
  const optional = typeof message === 'string' ? { message } : {};
  switch (ev) {
    case 'connect':
      return { ev, url: textOf(url) };
    case 'http':
      return {
        ev,
        method: textOf(method),
        ...(typeof status === 'number' && { status }),
        message: textOf(message),
        ...(isId(requestId) && { requestId }),
      };
    case 'stream-close':
      return { ev, ...optional, ...(isId(cancels) && { cancels }) };
    case 'disconnect':
      return { ev, ...optional };
    case 'reconnect':
      return { ev, attempt: numberOf(attempt), ms: numberOf(ms) };
    default:
      return undefined;
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** JSON has no other numbers. */
function finite(ms: number): number {
  return Number.isFinite(ms) ? ms : 0;
}

/** A clock that went mad must not stop the journal. */
export function isoTime(t: number): string {
  return Math.abs(t) <= 8.64e15 ? new Date(t).toISOString() : new Date(0).toISOString();
}
