import { withoutByteOrderMark } from '../../log/jsonText';
import type { WireEvent, WireMessage, WirePiece } from '../wireEvent';

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
  /** Whether secrets were taken out of everything in it. */
  readonly redacted?: true;
}

/**
 * One wire event as a line of a journal, without its line break: `t` in ISO 8601, `ms` since the start, `dir`, and either `msg` (the JSON
 * message, byte for byte as it crossed, but for line breaks, which are spaces here), `line` (text that is no JSON value) or `ev` with its
 * fields. A line that is too long to be logged comes in pieces (`part`); after them comes `line` (how it begins) or `msg` (the message with its
 * long strings cut), with the length of the line in `bytes` and how much of it the pieces hold in `kept`.
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
  // What parsed is one JSON value: it is copied as it came.
  if (event.dir !== 'err' && (event.isLog === true || event.msg !== undefined)) {
    // `msg` isn't next to `dir` then: readers of bytes must not take it for all of the message.
    const before = cut === '' ? beforeMessage(event, startedAt, time) : `${start}${cut},"msg":`;
    return `${before}${inOneLine(withoutByteOrderMark(event.line))}}`;
  }
  return `${start},"line":${JSON.stringify(event.line)}${cut}}`;
}

/**
 * Messages with a length before them may contain line breaks. Those would be lines of the journal: lost to its readers, or
 * taken for events. JSON only allows a line break where it allows a space.
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

/** JSON has no other numbers. */
function finite(ms: number): number {
  return Number.isFinite(ms) ? ms : 0;
}

/** A clock that went mad must not stop the journal. */
export function isoTime(t: number): string {
  return Math.abs(t) <= 8.64e15 ? new Date(t).toISOString() : new Date(0).toISOString();
}
