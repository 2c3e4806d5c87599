import { parsedJson } from '../../log/jsonText';
import { plainText } from '../../log/text';
import type { JsonObject } from '../json';
import { isObject } from '../json';
import { readLogFields } from '../logFields/logFields';
import type { PrefixedLine } from './linePrefix';
import { readPrefix } from './linePrefix';
import { parseLogfmt } from './logfmt';

/** A parsed line of standard error; `data` has the other fields of a structured entry. */
export interface StderrLine extends PrefixedLine {
  readonly data?: unknown;
}

/** Reads level, time and logger from JSON, logfmt or the usual prefixes. */
export function readStderrLine(line: string): StderrLine {
  const text = plainText(line).trimEnd();
  return fromJson(text) ?? fromLogfmt(text) ?? readPrefix(text) ?? { message: text };
}

function fromJson(text: string): StderrLine | undefined {
  const value = text.startsWith('{') ? parsedJson(text) : undefined;
  return isObject(value) ? fromFields(value) : undefined;
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
