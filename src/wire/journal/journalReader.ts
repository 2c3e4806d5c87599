import { ByteText } from '../../text/bytes/byteText';
import { ByteTime } from '../../text/bytes/byteTime';
import { Line } from '../../text/bytes/line';
import { deepJson, parsedJson } from '../../text/jsonText';
import { wholeLine } from '../lines/wholeLine';
import { isReason, isTerminator } from '../termination';
import { textOf } from './journalLine';
import type { ConnectionEvent, ProcessEvent, Why, WireEvent, WireMessage } from '../wireEvent';
import type { MissingPart } from '../../text/humanError';
import { missingTypes } from '../../text/humanError';
import { WireLine } from '../wireLine';

const opening = new ByteText('{"t":"');
const ms = new ByteText('","ms":');
const messages = [
  ['a2c', new ByteText(',"dir":"a2c","msg":')],
  ['c2a', new ByteText(',"dir":"c2a","msg":')],
] as const;
const quote = '"';
const [minus, zero, nine, closeBrace] = [45, 48, 57, 125];
const maxTimeLength = 40;
const maxReasons = 4;
const maxRemaining = 100;

/** Reads the lines of a journal, or of a recorded transcript, which has no header and only `line`. */
export class JournalReader {
  private readonly times = new ByteTime();

  /** @param isLog whether the bytes of a message are certainly valid JSON. Other messages are parsed to find out */
  constructor(private readonly isLog: (message: WireMessage) => boolean = () => false) {}

  /** Returns `undefined` for a line that isn't an event. */
  read(line: Line): WireEvent | undefined {
    const message = this.messageIn(line);
    // A line can look complete although its writer was killed in the middle of it.
    const isWhole = message !== undefined && (this.isLog(message) || message.msg !== undefined);
    return isWhole ? message : describedEvent(line.text);
  }

  /** A message as written by `journalLine`, which contains the original line. */
  private messageIn({ chunk, start, end, found }: Line): WireLine | undefined {
    if (!chunk || chunk.bytes[end - 1] !== closeBrace || !opening.isAt(chunk, start, end)) return undefined;
    const timeStart = start + opening.length;
    const timeEnd = chunk.text.indexOf(quote, timeStart);
    if (timeEnd - timeStart > maxTimeLength || !ms.isAt(chunk, timeEnd, end)) return undefined;
    const at = numberEnd(chunk.bytes, timeEnd + ms.length);
    if (at < 0) return undefined;
    for (const [dir, text] of messages) {
      if (!text.isAt(chunk, at, end)) continue;
      const t = this.times.read(chunk, timeStart, timeEnd);
      return Number.isNaN(t) ? undefined : new WireLine(t, dir, new Line(chunk, at + text.length, end - 1, found));
    }
    return undefined;
  }
}

/** Reads a single line. */
export function readJournalLine(text: string): WireEvent | undefined {
  return new JournalReader().read(wholeLine(Buffer.from(text)));
}

/** The end of the integer at this place; -1 if there is none. */
function numberEnd(bytes: Buffer, start: number): number {
  const first = bytes[start] === minus ? start + 1 : start;
  let at = first;
  for (let digit = bytes[at] ?? 0; digit >= zero && digit <= nine; digit = bytes[at] ?? 0) at++;
  const isNumber = at === first + 1 || (at > first && bytes[first] !== zero);
  return isNumber ? at : -1;
}

/** An event from JSON of any layout. */
function describedEvent(text: string): WireEvent | undefined {
  const entry = parsedJson(text);
  if (typeof entry !== 'object' || entry === null) return undefined;
  const hosted = hostedMessage(entry as Record<string, unknown>);
  if (hosted) return hosted;
  const { t: time, dir, line, msg, bytes, kept } = entry as Record<string, unknown>;
  const t = typeof time === 'string' ? Date.parse(time) : NaN;
  if (!Number.isFinite(t)) return undefined;
  const length: { bytes?: number; kept?: number } =
    typeof bytes === 'number' ? { bytes, ...(typeof kept === 'number' && { kept }) } : {};
  if (dir === 'ev') return processEvent(t, entry as Record<string, unknown>);
  if (dir === 'err') return typeof line === 'string' ? { t, dir, line, ...length } : undefined;
  if (dir !== 'c2a' && dir !== 'a2c') return undefined;
  if (typeof line === 'string') return WireLine.of(t, dir, line, length);
  return msg === undefined ? undefined : WireLine.of(t, dir, deepJson(msg), { msg, ...length });
}

/** A message in the log of VS Code's agent host: JSON-RPC with the field `_ahpLog`, which has the time and direction. */
function hostedMessage(entry: Readonly<Record<string, unknown>>): WireMessage | undefined {
  const { _ahpLog: log, ...msg } = entry;
  if (typeof log !== 'object' || log === null) return undefined;
  const { ts, dir } = log as Record<string, unknown>;
  const t = typeof ts === 'string' ? Date.parse(ts) : NaN;
  if (!Number.isFinite(t) || (dir !== 'c2s' && dir !== 's2c')) return undefined;
  return WireLine.of(t, dir === 'c2s' ? 'c2a' : 'a2c', deepJson(msg), { msg });
}

/** Whether a line that isn't an event belongs in a journal: a header, or a piece of a long line. */
export function isJournalPart(text: string): boolean {
  const entry = parsedJson(text);
  if (typeof entry !== 'object' || entry === null) return false;
  return 'journal' in entry || ('part' in entry && typeof entry.part === 'string');
}

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
      return { ev, message: textOf(message), ...missingIn(entry['missing']) };
    case 'waiting':
      return { ev, method: textOf(method), ms: numberOf(ms) };
    case 'stdin-close':
    case 'stdout-close':
      return { ev };
    case 'left-behind': {
      const { remaining } = entry;
      return { ev, ...(Array.isArray(remaining) && { remaining: remaining.map(numberOf).slice(0, maxRemaining) }) };
    }
    case 'skipped':
      return { ev, bytes: numberOf(bytes) };
    case 'signal':
      return { ev, signal: textOf(signal) };
    case 'SIGTERM': // in recorded transcripts
      return { ev: 'signal', signal: ev };
    case 'end':
      if (!isReason(entry['reason']) || !isTerminator(entry['terminatedBy'])) return undefined;
      return {
        ev,
        reason: entry['reason'],
        terminatedBy: entry['terminatedBy'],
        ...(typeof message === 'string' && { message }),
        ...whyIn(entry['why']),
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
  const { ev, url, method, status, message, why, requestId, errorCode, canLogIn, cancels, attempt, ms } = entry;
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
        ...whyIn(why),
        ...(isId(requestId) && { requestId }),
        ...(typeof errorCode === 'string' && { errorCode }),
        ...(canLogIn === true && { canLogIn }),
      };
    case 'stream-close':
      return { ev, ...optional, ...(isId(cancels) && { cancels }) };
    case 'disconnect':
      return { ev, ...optional, ...whyIn(why) };
    case 'reconnect':
      return { ev, attempt: numberOf(attempt), ms: numberOf(ms) };
    default:
      return undefined;
  }
}

function whyIn(value: unknown): { readonly why?: Why } {
  return Array.isArray(value) ? { why: value.slice(0, maxReasons).map(textOf) } : {};
}

function missingIn(value: unknown): { readonly missing?: MissingPart } {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('name' in value)) return {};
  const { type: given, name } = value;
  const type = missingTypes.find((one) => one === given);
  return type === undefined || typeof name !== 'string' ? {} : { missing: { type, name } };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
