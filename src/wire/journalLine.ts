import type { ProcessEvent, WireEvent } from './wireEvent';

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
}

/**
 * One wire event as a line of a journal, without its line break: `t` in ISO 8601, `ms` since the start, `dir`, and either `msg` (the JSON
 * message, byte for byte as it crossed), `line` (text that is no JSON value) or `ev` with its fields.
 */
export function journalLine(event: WireEvent, startedAt: number): string {
  const start = `{"t":"${isoTime(event.t)}","ms":${event.t - startedAt},"dir":"${event.dir}"`;
  if (event.dir === 'ev') {
    const { t: _t, dir: _dir, ...fields } = event;
    return `${start},${JSON.stringify(fields).slice(1)}`;
  }
  const cut = event.bytes === undefined ? '' : `,"bytes":${event.bytes}`;
  // What parsed is one JSON value: it stands in the line as it came, and nothing is stringified again.
  if (event.dir !== 'err' && event.msg !== undefined) return `${start},"msg":${withoutMark(event.line)}}`;
  return `${start},"line":${JSON.stringify(event.line)}${cut}}`;
}

/** Reads a line of a journal, or of a recorded transcript, which has `line` throughout and no header. `undefined` for what is no event. */
export function readJournalLine(text: string): WireEvent | undefined {
  const entry = parse(text);
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { t: time, dir, line, msg, bytes } = entry as Record<string, unknown>;
  const t = typeof time === 'string' ? Date.parse(time) : NaN;
  if (!Number.isFinite(t)) return undefined;
  const length = typeof bytes === 'number' ? { bytes } : {};
  if (dir === 'ev') return processEvent(t, entry as Record<string, unknown>);
  if (dir === 'err') return typeof line === 'string' ? { t, dir, line, ...length } : undefined;
  if (dir !== 'c2a' && dir !== 'a2c') return undefined;
  if (typeof line !== 'string') return msg === undefined ? undefined : { t, dir, line: JSON.stringify(msg), msg };
  if (length.bytes !== undefined) return { t, dir, line, ...length };
  const value = parse(line);
  return { t, dir, line, ...(value !== undefined && { msg: value }) };
}

function processEvent(t: number, entry: Record<string, unknown>): WireEvent | undefined {
  const { ev, pid, command, cmd, cwd, message, method, ms, signal, code } = entry;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
  const at = (event: ProcessEvent): WireEvent => ({ t, dir: 'ev', ...event });
  switch (ev) {
    case 'spawn': {
      const words: unknown = command ?? cmd;
      return at({ ev, pid: number(pid), command: Array.isArray(words) ? words.map(text) : [], cwd: text(cwd) });
    }
    case 'start-failed':
      return at({ ev, message: text(message) });
    case 'waiting':
      return at({ ev, method: text(method), ms: number(ms) });
    case 'stdin-close':
    case 'stdout-close':
    case 'left-behind':
      return at({ ev });
    case 'signal':
      return at({ ev, signal: text(signal) });
    case 'SIGTERM': // so the recorded transcripts have it
      return at({ ev: 'signal', signal: ev });
    case 'exit':
      return at({
        ev,
        code: typeof code === 'number' ? code : null,
        signal: typeof signal === 'string' ? signal : null,
      });
    default:
      return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A byte order mark may stand before the first message, and nowhere in a line. */
function withoutMark(line: string): string {
  return line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
}

/** A clock that went mad must not stop the journal. */
function isoTime(t: number): string {
  return Math.abs(t) <= 8.64e15 ? new Date(t).toISOString() : new Date(0).toISOString();
}
