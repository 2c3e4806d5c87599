import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';
import { timeOf } from '../logFields/timeOf';

/** What stands before the message in a line of text, and the message. */
export interface PrefixedLine {
  readonly level?: Level;
  /** The line's own timestamp, in milliseconds since the epoch. */
  readonly time?: number;
  readonly logger?: string;
  readonly message: string;
}

const word = 'TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|ALERT|EMERGENCY|PANIC';
const inAnyCase = word.replace(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`);
const clock = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?';
const stamp = `\\d{4}-\\d\\d-\\d\\d[T ]${clock}(?:Z|[+-]\\d\\d:?\\d\\d)?`;
/** Go's log package puts it before what is prose: that it begins with the name of a level makes none of it. */
const slashed = `\\d{4}/\\d\\d/\\d\\d ${clock}`;
/** Between the parts: Python's formats often have a hyphen there, loguru a bar. */
const gap = '\\s{1,16}(?:[-|]\\s{1,16})?';

/** Names that are nothing but a level where one is expected: those of Serilog and zerolog (Go), and of charm's log and logrus (Go). */
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

/** Names that are a level before a colon: those of .NET's console and of java.util.logging. */
const beforeColon: ReadonlyMap<string, Level> = new Map<string, Level>([
  ['trce', 'debug'],
  ['dbug', 'debug'],
  ['fail', 'error'],
  ['severe', 'error'],
]);

/**
 * Time and level in the same brackets: `[2026-11-20T12:00:00Z ERROR my_crate::mod] message` of env_logger (Rust), `[12:00:00 WRN] message`
 * of Serilog. Prose may be in brackets, too: a name may follow a level in capitals only.
 */
const enclosed = new RegExp(
  `^\\[(?:(${stamp})|${clock})\\s{1,16}` +
    `(?:(${word}|${shortWord})(?:\\s{1,8}([\\w.:/$<>-]{1,80}))?|(${inAnyCase}))\\s{0,8}\\]:?\\s{1,16}`,
);
/**
 * `2026-11-20T12:00:00Z ERROR codex_api::retry: message`, as tracing (Rust) and many others write; the level may be in brackets, where
 * structlog (Python) fills it up with blanks.
 */
const stamped = new RegExp(`^\\[?(${stamp})\\]?${gap}\\[?(${word})(?:\\s{0,8}\\])?:?${gap}`, 'i');
/**
 * What may also be there: a name before the level (`[main] ERROR`, `mcp.server - ERROR - `), less than a whole date before it (logback has
 * the time only, zerolog the minute, rich `[11/20/26 12:00:00]`). A level without brackets is in capitals or has a colon: prose begins so, too.
 */
const sourced = new RegExp(
  `^\\[?(?:(${stamp}|${slashed})|\\d\\d/\\d\\d/\\d\\d ${clock}|${clock}|\\d{1,2}:\\d\\d[AP]M)\\]?${gap}` +
    `(?:\\[([\\w.:/ -]{1,80})\\]\\s{1,16}|([\\w.:/-]{1,80})\\s{1,16}[-|]\\s{1,16})??` +
    `(?:\\[\\s{0,8}(${inAnyCase})\\s{0,8}\\]|(${word}|${shortWord}|(?:${word.toLowerCase()})(?=:))):?${gap}`,
);
/** `codex_api::retry: `, after the level. */
const loggerByColon = /^([\w.:/$<>-]{1,80}): /;
/** Before a hyphen only what is no word of prose, address or version: `c.e.Foo - `, `__main__:<module>:12 - `. */
const loggerByHyphen =
  /^([A-Za-z_][\w$-]{0,79}(?:(?:(?:\.|::)[A-Za-z_][\w$-]{0,79}){1,20}|[\w.]{0,79}:[\w$<>]{1,79}:\d{1,7})) -\s{1,16}/;
/** `ERROR:root:message`, as Python's logging.basicConfig writes; in small letters it is OpenSSL's (`error:0308010C:digital …`). */
const python = new RegExp(`^(${word}):([A-Za-z_][\\w.-]{0,79}):(?![/\\\\])\\s?`);
/** `E1120 12:00:00.123456  1234 file.cc:12] message`, as glog (C++) and klog (Go) write. */
const glog = /^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6}\s{1,8}\d{1,10} ([\w./-]{1,80}:\d{1,7})\] ?/;
/** `[WARN] message`. */
const bracketed = new RegExp(`^\\[\\s*(${word})\\s*\\]:?\\s*`, 'i');
/** `error: message`, `WARNING: message`. A word before the colon that is no level alone (`TypeError:`) is an exception's name. */
const named = new RegExp(`^(${word}|${[...beforeColon.keys()].join('|')})(?:\\[\\w+\\])?:\\s+`, 'i');
/** `ERROR message`: without a colon only in capitals, since prose begins like that too. logrus has the seconds there: `ERRO[0012] message`. */
const capitals = new RegExp(`^(?: {20})?(${word}|DEBU|ERRO|FATA|TRAC(?=\\[)|PANI(?=\\[))(?:\\[\\d{4,10}\\])?\\s+`);
/** npm says of each line that it is of an error; older versions have it in capitals. */
const npm = /^npm (error|ERR!|warn|WARN)(?: |$)/;
/** rich (Python) leaves out the time, `[11/20/26 12:00:00] `, where it is that of the line before. */
const inColumn = new RegExp(`^ {20}(?:${word})\\s+\\S`);
/** Java and .NET have words before an exception that nobody has caught; what ends Rust and Python is none. */
const exception =
  /^(?:(?:Uncaught )?[\w$.]{0,100}(?:Error|Exception)(?: \[\w+\])?:\s|panic: |thread '.{0,80}'(?: \(\d{1,20}\))? (?:panicked at |has overflowed its stack$)|Exception in thread ".{0,80}" \S|Unhandled [Ee]xception[.:] \S|fatal runtime error: |Fatal Python error: )/;

/** Whether an indented line is an entry of its own. */
export function isEntryInColumn(text: string): boolean {
  return inColumn.test(text);
}

/** Reads the usual prefixes of a line: time, level, logger. `undefined` where it has none. */
export function readPrefix(text: string): PrefixedLine | undefined {
  return fromStamp(text) ?? fromName(text) ?? fromLevel(text);
}

function fromStamp(text: string): PrefixedLine | undefined {
  // Most lines begin with no time: they are not searched any further.
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

/** The logger may be named after the level; else it is who is named before it, if anybody. */
function withLoggerAfter(
  text: string,
  prefix: string,
  level: string | undefined,
  before: string | undefined,
  time: string | undefined,
): PrefixedLine {
  const rest = text.slice(prefix.length);
  const [named = '', logger] = exception.test(rest)
    ? []
    : (loggerByColon.exec(rest) ?? loggerByHyphen.exec(rest) ?? []);
  return line(text, prefix + named, level, logger ?? before, time);
}

function fromName(text: string): PrefixedLine | undefined {
  const [prefix, level, logger] = python.exec(text) ?? [];
  if (prefix !== undefined) return line(text, prefix, level, logger, undefined);
  const [start, letter, place] = glog.exec(text) ?? [];
  if (start === undefined) return undefined;
  const name = letter === 'I' ? 'info' : letter === 'W' ? 'warning' : letter === 'E' ? 'error' : 'fatal';
  return line(text, start, name, place, undefined);
}

function fromLevel(text: string): PrefixedLine | undefined {
  // `Error: …` is an exception's name and a part of what happened; `error: …` and `ERROR: …` are a level.
  if (exception.test(text)) return { level: 'error', message: text };
  if (text.startsWith('npm ')) return fromNpm(text);
  const [prefix, level] = bracketed.exec(text) ?? named.exec(text) ?? capitals.exec(text) ?? [];
  return prefix === undefined ? undefined : line(text, prefix, level, undefined, undefined);
}

function fromNpm(text: string): PrefixedLine | undefined {
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
): PrefixedLine {
  const level = short.get(levelName ?? '') ?? beforeColon.get(levelName?.toLowerCase() ?? '') ?? parseLevel(levelName);
  const time = stampText === undefined ? undefined : timeOf(stampText.replaceAll('/', '-').replace(',', '.'));
  const message = text.slice(prefix.length);
  return {
    ...(level !== undefined && { level }),
    ...(time !== undefined && { time }),
    ...(logger !== undefined && { logger }),
    // `ERROR:test:` would say nothing at all.
    message: message === '' ? text : message,
  };
}
