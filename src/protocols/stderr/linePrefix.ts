import type { Level } from '../../text/level';
import { parseLevel } from '../../text/level';
import type { StderrLine } from '../../work/facts';
import { timeOf } from '../logFields/timeOf';
import { thrown } from './runtimes';

const word = 'TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|ALERT|EMERGENCY|PANIC';
const inAnyCase = word.replace(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);
const clock = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?';
const stamp = `\\d{4}-\\d\\d-\\d\\d[T ]${clock}(?:Z|[+-]\\d\\d:?\\d\\d)?`;
/** Go's log package writes it before prose, so a level name at the start of the message is only a word. */
const slashed = `\\d{4}/\\d\\d/\\d\\d ${clock}`;
/** The separator of the parts; Python formats often use a hyphen, loguru a bar. */
const gap = '\\s{1,16}(?:[-|]\\s{1,16})?';

/** Names accepted only where a level is expected: those of Serilog and zerolog (Go), and of charm's log and logrus (Go). */
const short: ReadonlyMap<string, Level> = new Map<string, Level>([
  ['VRB', 'debug'],
  ['TRC', 'debug'],
  ['DBG', 'debug'],
  ['INF', 'info'],
  ['WRN', 'warning'],
  ['FTL', 'critical'],
  ['PNC', 'emergency'],
  ['TRAC', 'debug'],
  ['DEBU', 'debug'],
  ['ERRO', 'error'],
  ['FATA', 'critical'],
  ['PANI', 'emergency'],
]);
const shortWord = [...short.keys()].join('|');

/** Names that are levels only before a colon: those of .NET's console and of java.util.logging. */
const beforeColon: ReadonlyMap<string, Level> = new Map<string, Level>([
  ['trce', 'debug'],
  ['dbug', 'debug'],
  ['fail', 'error'],
  ['severe', 'error'],
]);

/**
 * Time and level in the same brackets: `[2026-11-20T12:00:00Z ERROR my_crate::mod] message` of env_logger (Rust), `[12:00:00 WRN] message` of
 * Serilog. Prose may be bracketed, too, so a name may only follow a level in capitals.
 */
const enclosed = new RegExp(
  `^\\[(?:(${stamp})|${clock})\\s{1,16}` +
    `(?:(${word}|${shortWord})(?:\\s{1,8}([\\w.:/$<>-]{1,80}))?|(${inAnyCase}))\\s{0,8}\\]:?\\s{1,16}`,
);
/**
 * `2026-11-20T12:00:00Z ERROR codex_api::retry: message`, as written by tracing (Rust) and many others. The level may be in brackets, which
 * structlog (Python) pads with spaces.
 */
const stamped = new RegExp(`^\\[?(${stamp})\\]?${gap}\\[?(${word})(?:\\s{0,8}\\])?:?${gap}`, 'i');
/** `INFO  2026-11-28T12:49:00 +12ms message` of OpenCode and Kilo: the time is UTC, the rest is how long after the line before. */
const levelled = new RegExp(`^(${word})\\s{1,8}(${stamp})\\s{1,4}(?:\\+\\d{1,12}ms\\s{1,4})?`);
const withoutZone = /:\d\d(?:[.,]\d{1,9})?$/;
/**
 * Variants with a name before the level (`[main] ERROR`, `mcp.server - ERROR - `) or an incomplete date (logback has only the time, zerolog the
 * minute, rich `[11/20/26 12:00:00]`). Without brackets, the level must be in capitals or have a colon, because prose may start the same way.
 */
const sourced = new RegExp(
  `^\\[?(?:(${stamp}|${slashed})|\\d\\d/\\d\\d/\\d\\d ${clock}|${clock}|\\d{1,2}:\\d\\d[AP]M)\\]?${gap}` +
    `(?:\\[([\\w.:/ -]{1,80})\\]\\s{1,16}|([\\w.:/-]{1,80})\\s{1,16}[-|]\\s{1,16})??` +
    `(?:\\[\\s{0,8}(${inAnyCase})\\s{0,8}\\]|(${word}|${shortWord}|(?:${word.toLowerCase()})(?=:))):?${gap}`,
);
/** `codex_api::retry: `, after the level. */
const loggerByColon = /^([\w.:/$<>-]{1,80}): /;
/** Before a hyphen, only names that can't be prose, an address or a version: `c.e.Foo - `, `__main__:<module>:12 - `. */
const loggerByHyphen =
  /^([A-Za-z_][\w$-]{0,79}(?:(?:(?:\.|::)[A-Za-z_][\w$-]{0,79}){1,20}|[\w.]{0,79}:[\w$<>]{1,79}:\d{1,7})) -\s{1,16}/;
/** `ERROR:root:message` of Python's logging.basicConfig; lowercase is OpenSSL's (`error:0308010C:digital …`). */
const python = new RegExp(`^(${word}):([A-Za-z_][\\w.-]{0,79}):(?![/\\\\])\\s?`);
/** `E1120 12:00:00.123456  1234 file.cc:12] message` of glog (C++) and klog (Go). */
const glog = /^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6}\s{1,8}\d{1,10} ([\w./-]{1,80}:\d{1,7})\] ?/;
/** `[WARN] message`. */
const bracketed = new RegExp(`^\\[\\s*(${word})\\s*\\]:?\\s*`, 'i');
/** `error: message`, `WARNING: message`. Other words before a colon (`TypeError:`) are names of exceptions. */
const named = new RegExp(`^(${word}|${[...beforeColon.keys()].join('|')})(?:\\[\\w+\\])?:\\s+`, 'i');
/** `ERROR message`: without a colon only in capitals, because prose may start the same way. logrus adds the seconds: `ERRO[0012] message`. */
const capitals = new RegExp(`^(?: {20})?(${word}|DEBU|ERRO|FATA|TRAC(?=\\[)|PANI(?=\\[))(?:\\[\\d{4,10}\\])?\\s+`);
/** npm prefixes every line of an error; older versions use capitals. */
const npm = /^npm (error|ERR!|warn|WARN)(?: |$)/;
/** rich (Python) omits the time, `[11/20/26 12:00:00] `, if it is that of the previous line. */
const inColumn = new RegExp(`^ {20}(?:${word})\\s+\\S`);

/** Whether an indented line is a separate entry. */
export function isEntryInColumn(text: string): boolean {
  return inColumn.test(text);
}

/** Reads the usual prefixes of a line: time, level and logger. `undefined` if it has none. */
export function readPrefix(text: string): StderrLine | undefined {
  return fromStamp(text) ?? fromName(text) ?? fromLevel(text);
}

function fromStamp(text: string): StderrLine | undefined {
  // Fast path: most lines don't start with a time.
  const isInBrackets = text.startsWith('[');
  if (!isDigit(text.charCodeAt(isInBrackets ? 1 : 0))) return undefined;
  const [whole, at, capitals, target, anyCase] = (isInBrackets ? enclosed.exec(text) : undefined) ?? [];
  if (whole !== undefined) return line(text, whole, capitals ?? anyCase, target, at);
  const plain = stamped.exec(text);
  if (plain) return withLoggerAfter(text, plain[0], plain[2], undefined, plain[1]);
  const [prefix, time, thread, name, inBrackets, inCapitals] = sourced.exec(text) ?? [];
  if (prefix === undefined) return undefined;
  const level = inBrackets ?? inCapitals;
  return name === undefined
    ? withLoggerAfter(text, prefix, level, thread, time)
    : line(text, prefix, level, name, time);
}

function isDigit(charCode: number): boolean {
  return charCode >= 0x30 && charCode <= 0x39;
}

/** Reads a logger's name after the level; otherwise uses the name before it, if any. */
function withLoggerAfter(
  text: string,
  prefix: string,
  level: string | undefined,
  before: string | undefined,
  time: string | undefined,
): StderrLine {
  const rest = text.slice(prefix.length);
  const [named = '', logger] = thrown.test(rest) ? [] : (loggerByColon.exec(rest) ?? loggerByHyphen.exec(rest) ?? []);
  return line(text, prefix + named, level, logger ?? before, time);
}

function fromName(text: string): StderrLine | undefined {
  const [prefix, level, logger] = python.exec(text) ?? [];
  if (prefix !== undefined) return line(text, prefix, level, logger, undefined);
  const [start, letter, place] = glog.exec(text) ?? [];
  if (start === undefined) return undefined;
  const name = letter === 'I' ? 'info' : letter === 'W' ? 'warning' : letter === 'E' ? 'error' : 'fatal';
  return line(text, start, name, place, undefined);
}

function fromLevel(text: string): StderrLine | undefined {
  // `Error: …` is an exception's name and part of the message; `error: …` and `ERROR: …` are levels.
  if (thrown.test(text)) return { level: 'error', message: text };
  if (text.startsWith('npm ')) return fromNpm(text);
  const [start, name, at = ''] = levelled.exec(text) ?? [];
  if (start !== undefined) return withLoggerAfter(text, start, name, undefined, withoutZone.test(at) ? `${at}Z` : at);
  const [prefix, level] = bracketed.exec(text) ?? named.exec(text) ?? capitals.exec(text) ?? [];
  return prefix === undefined ? undefined : line(text, prefix, level, undefined, undefined);
}

function fromNpm(text: string): StderrLine | undefined {
  const name = npm.exec(text)?.[1];
  if (name === undefined) return undefined;
  return { level: name.toLowerCase() === 'warn' ? 'warning' : 'error', message: text };
}

function line(
  text: string,
  prefix: string,
  levelName: string | undefined,
  logger: string | undefined,
  stampText: string | undefined,
): StderrLine {
  const level = short.get(levelName ?? '') ?? beforeColon.get(levelName?.toLowerCase() ?? '') ?? parseLevel(levelName);
  const time = stampText === undefined ? undefined : timeOf(stampText.replaceAll('/', '-').replace(',', '.'));
  const message = text.slice(prefix.length);
  return {
    ...(level !== undefined && { level }),
    ...(time !== undefined && { time }),
    ...(logger !== undefined && { logger }),
    // `ERROR:test:` would have no message.
    message: message === '' ? text : message,
  };
}
