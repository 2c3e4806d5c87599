import { boundedJson } from './boundedJson';
import { deepJson } from './jsonText';
import type { Level } from './level';
import type { LogRecord } from './record';
import { connectionLabel, markedId } from './sessionLabel';
import { cut, plainText } from './text';

/** The method of VS Code's LogOutputChannel that writes a record. */
export type ChannelMethod = 'trace' | 'debug' | 'info' | 'warn' | 'error';

const methods: Readonly<Record<Level, ChannelMethod>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** Levels that are named in the text, because their method doesn't show them. */
const named: ReadonlySet<Level> = new Set(['notice', 'critical', 'alert', 'emergency']);

const maxMessage = 16_384;
const maxLogger = 100;
const maxData = 4_096;

/** Maps the eight levels to VS Code's five methods. */
export function methodOf(level: Level): ChannelMethod {
  return methods[level];
}

/**
 * One entry of the output channel: `[category] LEVEL logger: message data`. VS Code reads the first bracket as a category. Lines after
 * the first are indented, so that no message can forge an entry.
 * @param category the text in the brackets; brackets and line breaks in it are replaced
 * @param method the method that writes it; the text names a level that the method doesn't show
 */
export function formatEntry(
  record: LogRecord,
  category: string,
  method: ChannelMethod = methodOf(record.level),
): string {
  const level = named.has(record.level) || method !== methodOf(record.level) ? ` ${record.level.toUpperCase()}` : '';
  const logger = record.logger === undefined ? '' : ` ${cut(record.logger, maxLogger)}:`;
  const own = ownTime(record);
  const data = record.data === undefined || record.kind === 'diagnosis' ? '' : ` ${boundedJson(record.data, maxData)}`;
  const text = `[${categoryName(category)}]${level}${logger} ${cut(record.message, maxMessage)}${data}${own}`;
  return indented(text);
}

/** A name without brackets and line breaks. */
function categoryName(name: string): string {
  return plainText(name).replaceAll('[', '(').replaceAll(']', ')').replaceAll('\n', ' ');
}

/** Indents all lines but the first: VS Code's Output view takes indented lines as part of the entry above. */
export function indented(text: string): string {
  const plain = plainText(text);
  return plain.includes('\n') ? plain.trimEnd().replaceAll('\n', '\n    ') : plain;
}

/** The agent's own timestamp, if it differs from the arrival by more than a second. */
function ownTime(record: LogRecord): string {
  if (record.time === undefined || Math.abs(record.time - record.receivedAt) <= 1000) return '';
  const time = new Date(record.time);
  return Number.isNaN(time.getTime()) ? '' : ` (at ${localTime(record.time)})`;
}

/** The category of a record: its session, if any. */
export function categoryOf(record: LogRecord, labelOf: (sessionId: string) => string): string {
  if (record.sessionId !== undefined) return labelOf(record.sessionId);
  if (record.kind === 'stderr') return 'stderr';
  return record.kind === 'log' || record.kind === 'notice' ? connectionLabel : 'agent';
}

/** A record as a line of a log file, formatted like VS Code's own: `2026-11-20 10:32:11.123 [info] [category] text`. */
export function logLine(record: LogRecord, category: string): string {
  const method = methodOf(record.level);
  return `${localTime(record.receivedAt)} [${method === 'warn' ? 'warning' : method}] ${formatEntry(record, category)}`;
}

/** Local time to the millisecond, as VS Code writes it. */
export function localTime(ms: number): string {
  const time = new Date(ms);
  if (Number.isNaN(time.getTime())) return 'no time';
  const two = (value: number, length = 2): string => String(value).padStart(length, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  return `${day} ${clock}.${two(time.getMilliseconds(), 3)}`;
}

/** The same without the day. */
export function localClock(ms: number): string {
  return localTime(ms).slice('2026-11-20 '.length);
}

/** The local day, so that days can be compared: `2026-11-20`. */
export function localDay(ms: number): string {
  return localTime(ms).slice(0, 10);
}

/** Local time with its offset from UTC, for texts that leave this machine: `2026-11-20 10:32:11.123 +01:00`. */
export function zonedTime(ms: number): string {
  const minutes = -new Date(ms).getTimezoneOffset();
  if (Number.isNaN(minutes)) return localTime(ms);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const offset = Math.abs(minutes);
  return `${localTime(ms)} ${minutes < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}

/**
 * A record as one line of JSON, with the fields of `LogRecord`: times in milliseconds since the epoch; the session's id is bearer-like,
 * so only its end is included.
 */
export function recordJson(record: LogRecord): string {
  const { sessionId, ...fields } = record;
  return deepJson({ ...fields, ...(sessionId !== undefined && { sessionId: markedId(sessionId) }) });
}
