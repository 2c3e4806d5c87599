import { parsedJson } from '../../text/jsonText';
import { plainText } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { isObject } from '../../text/json';
import type { StderrLine } from '../../work/facts';
import { readLogFields } from '../logFields/logFields';
import { readPrefix } from './linePrefix';

/** Reads level, time and logger from JSON, logfmt or the usual prefixes. */
export function readStderrLine(line: string): StderrLine {
  const text = plainText(line).trimEnd();
  return fromJson(text) ?? fromLogfmt(text) ?? readPrefix(text) ?? { message: text };
}

/** `[hub] {"level":"info",…}` */
const name = /^\[([\w.:/-]{1,80})\]\s{1,4}(?=\{)/;

function fromJson(text: string): StderrLine | undefined {
  const [prefix, logger] = (text.startsWith('[') ? name.exec(text) : undefined) ?? [''];
  const json = text.slice(prefix.length);
  const value = json.startsWith('{') ? parsedJson(json) : undefined;
  const entry = isObject(value) ? fromFields(value) : undefined;
  return entry && logger !== undefined ? { logger, ...entry } : entry;
}

function fromLogfmt(text: string): StderrLine | undefined {
  if (!/(?:^|\s)(?:level|lvl|severity)=/.test(text)) return undefined;
  const fields = parseLogfmt(text);
  return fields ? fromFields(fields) : undefined;
}

/** A structured entry needs a message and a level; otherwise it is just an object. */
function fromFields(fields: JsonObject): StderrLine | undefined {
  const { hasLevel, message, ...rest } = readLogFields(fields);
  return message === undefined || !hasLevel ? undefined : { message, ...rest };
}

const key = /[\w.@/-]+/y;

/** Reads `key=value key="quoted value"`, as written by Heroku and Go loggers; `undefined` for anything else. Values are strings. */
export function parseLogfmt(text: string): Record<string, string> | undefined {
  const fields: [string, string][] = [];
  let at = 0;
  while (at < text.length) {
    key.lastIndex = at;
    const name = key.exec(text)?.[0];
    if (name === undefined) return undefined;
    at += name.length;
    if (text[at] !== '=') return undefined;
    const [value, end] = text[at + 1] === '"' ? quoted(text, at + 1) : bare(text, at + 1);
    fields.push([name, value]);
    at = end;
    while (text[at] === ' ') at++;
  }
  // Object.fromEntries rather than assignment, because a field may be called __proto__.
  return Object.fromEntries(fields);
}

function bare(text: string, from: number): [string, number] {
  const end = text.indexOf(' ', from);
  return end < 0 ? [text.slice(from), text.length] : [text.slice(from, end), end];
}

function quoted(text: string, from: number): [string, number] {
  let end = from + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  const inside = text.slice(from + 1, end);
  return [
    inside.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char)),
    Math.min(end + 1, text.length),
  ];
}
