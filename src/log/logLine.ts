import { formatEntry, methodOf } from './format';
import type { LogRecord } from './record';
import { connectionLabel } from './sessionLabel';

/** The category of a record: its session, or what it is when it is no log of a session. */
export function categoryOf(record: LogRecord, labelOf: (sessionId: string) => string): string {
  if (record.sessionId !== undefined) return labelOf(record.sessionId);
  if (record.kind === 'stderr') return 'stderr';
  return record.kind === 'log' || record.kind === 'notice' ? connectionLabel : 'agent';
}

/** A record as a line of a log file, in the form that VS Code gives its own: `2026-11-20 10:32:11.123 [info] [category] text`. */
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
