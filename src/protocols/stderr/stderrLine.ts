import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';
import { plainText } from '../../log/text';
import type { JsonObject } from '../json';
import { isObject } from '../json';
import { readLogFields } from '../logFields/logFields';
import { timeOf } from '../logFields/timeOf';
import { parseLogfmt } from './logfmt';

/** What a line of standard error says of itself. */
export interface StderrLine {
  readonly level?: Level;
  /** The line's own timestamp, in milliseconds since the epoch. */
  readonly time?: number;
  readonly logger?: string;
  readonly message: string;
  readonly data?: unknown;
}

const word = 'TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|ALERT|EMERGENCY|PANIC';
const stamp = '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?';

/** `2026-11-20T12:00:00Z ERROR codex_api::retry: message`, as tracing (Rust) and many others write; the level may be in brackets. */
const stamped = new RegExp(`^\\[?(${stamp})\\]?\\s+\\[?(${word})\\]?:?\\s+(?:([\\w.:/-]{1,80}): )?`, 'i');
/** `[WARN] message`. */
const bracketed = new RegExp(`^\\[\\s*(${word})\\s*\\]:?\\s*`, 'i');
/** `error: message`, `WARNING: message`. A word before the colon that is no level alone (`TypeError:`) is an exception's name. */
const named = new RegExp(`^(${word})(?:\\[\\w+\\])?:\\s+`, 'i');
/** `ERROR message`: without a colon only in capitals, since prose begins like that too. */
const capitals = new RegExp(`^(${word})\\s+`);
const exception =
  /^(?:(?:Uncaught )?[\w$.]{0,100}(?:Error|Exception)(?: \[\w+\])?:\s|panic: |thread '.{0,80}' panicked at )/;

/** Reads the level, the time and the logger from the text, where it has any: JSON, logfmt and the usual prefixes. */
export function readStderrLine(line: string): StderrLine {
  const text = plainText(line).trimEnd();
  return fromJson(text) ?? fromLogfmt(text) ?? fromPrefix(text) ?? { message: text };
}

function fromPrefix(text: string): StderrLine | undefined {
  const full = stamped.exec(text);
  if (full) {
    const [prefix, time, level, logger] = full;
    return {
      ...levelField(level),
      ...timeField(time?.replace(',', '.')),
      ...(logger !== undefined && { logger }),
      message: text.slice(prefix.length),
    };
  }
  // `Error: …` is an exception's name and a part of what happened; `error: …` and `ERROR: …` are a level.
  if (exception.test(text)) return { level: 'error', message: text };
  const short = bracketed.exec(text) ?? named.exec(text) ?? capitals.exec(text);
  return short ? { ...levelField(short[1]), message: text.slice(short[0].length) } : undefined;
}

function fromJson(text: string): StderrLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? fromFields(value) : undefined;
  } catch {
    return undefined;
  }
}

function fromLogfmt(text: string): StderrLine | undefined {
  if (!/(?:^|\s)(?:level|lvl|severity)=/.test(text)) return undefined;
  const fields = parseLogfmt(text);
  return fields ? fromFields(fields) : undefined;
}

/** A structured entry; without a message and a level it is just some object. */
function fromFields(fields: JsonObject): StderrLine | undefined {
  const { hasLevel, message, ...rest } = readLogFields(fields);
  return message === undefined || !hasLevel ? undefined : { message, ...rest };
}

function levelField(name: string | undefined): { level?: Level } {
  const level = parseLevel(name);
  return level ? { level } : {};
}

function timeField(text: string | undefined): { time?: number } {
  const time = timeOf(text);
  return time === undefined ? {} : { time };
}
