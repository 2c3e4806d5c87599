import type { ByteChunk } from '../../log/byteChunk';

const [quote, openBrace] = [34, 123];
const space = 32;

const scalar = String.raw`(?:"[^"]*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)`;
/** An object of plain values, in text without escapes and control characters (RFC 8259). */
const flatObject = new RegExp(String.raw`\{ *(?:"[^"]*" *: *${scalar} *(?:, *(?=")|(?=\})))*\}`, 'y');
const plainValue = new RegExp(scalar, 'y');

/** Where the string ends that opens at this place: at its closing quotation mark. -1 for none. The line has no escapes. */
export function closingQuote({ bytes }: ByteChunk, at: number, end: number): number {
  if (bytes[at] !== quote) return -1;
  const close = bytes.indexOf(quote, at + 1);
  return close < end ? close : -1;
}

/** After the spaces at this place. */
export function skipSpaces(bytes: Buffer, at: number): number {
  let i = at;
  while (bytes[i] === space) i++;
  return i;
}

/**
 * Where a JSON value ends that begins at this place, in a line without escapes and control characters. -1 where it is none, and where that
 * cannot be told fast: of objects in objects only by what they would be if nothing but `closers` came after them up to the end of the line.
 */
export function valueEnd(chunk: ByteChunk, at: number, end: number, closers: string): number {
  const expression = chunk.bytes[at] === openBrace ? flatObject : plainValue;
  expression.lastIndex = at;
  if (expression.test(chunk.text)) return expression.lastIndex <= end ? expression.lastIndex : -1;
  const valueEnd = end - closers.length;
  if (!chunk.text.startsWith(closers, valueEnd)) return -1;
  return isJson(chunk.text.slice(at, valueEnd)) ? valueEnd : -1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
