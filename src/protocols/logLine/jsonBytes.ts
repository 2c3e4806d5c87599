import type { ByteChunk } from '../../text/bytes/byteChunk';
import { isJson } from '../../text/jsonText';
import type { LogLine } from './logLine';

const [quote, openBrace] = [34, 123];
const [space, backslash] = [32, 92];

const scalar = String.raw`(?:"[^"]*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)`;
/** An object of scalars, in text without escapes and control characters (RFC 8259). */
const flatObject = new RegExp(String.raw`\{ *(?:"[^"]*" *: *${scalar} *(?:, *(?=")|(?=\})))*\}`, 'y');
const plainValue = new RegExp(scalar, 'y');

/** The index of the closing quotation mark of the string that starts here, or -1. */
export function closingQuote({ chunk, end, hasEscapes }: LogLine, at: number): number {
  const { bytes, text } = chunk;
  if (bytes[at] !== quote) return -1;
  let close = text.indexOf('"', at + 1);
  if (hasEscapes) {
    while (close >= 0 && isEscaped(bytes, close)) close = text.indexOf('"', close + 1);
  }
  return close < end ? close : -1;
}

/** Whether there is a backslash from `start` up to `end`. */
export function hasBackslash({ bytes }: ByteChunk, start: number, end: number): boolean {
  const at = bytes.indexOf(backslash, start);
  return at >= 0 && at < end;
}

/** Whether an odd number of backslashes precedes this index. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at;
  while (bytes[before - 1] === backslash) before--;
  return (at - before) % 2 === 1;
}

/** The decoded text of a JSON string, given without its quotation marks; `undefined` if invalid. */
export function textOfJson(bytes: Buffer, start: number, end: number): string | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string;
  } catch {
    return undefined;
  }
}

/** The index after the spaces. */
export function skipSpaces(bytes: Buffer, at: number): number {
  let i = at;
  while (bytes[i] === space) i++;
  return i;
}

/**
 * The end of the JSON value that starts here, in a line without control characters; -1 if it is invalid. Nested objects and values with escapes are
 * assumed to end just before `closers` at the end of the line; -1 if they don't.
 */
export function valueEnd({ chunk, end, hasEscapes }: LogLine, at: number, closers: string): number {
  const expression = chunk.bytes[at] === openBrace ? flatObject : plainValue;
  expression.lastIndex = at;
  if (expression.test(chunk.text) && !(hasEscapes && hasBackslash(chunk, at, expression.lastIndex))) {
    return expression.lastIndex <= end ? expression.lastIndex : -1;
  }
  const valueEnd = end - closers.length;
  if (!chunk.text.startsWith(closers, valueEnd)) return -1;
  return isJson(chunk.text.slice(at, valueEnd)) ? valueEnd : -1;
}
