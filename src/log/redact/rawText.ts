// A line is read as it crossed, not as what it means: JSON in a string of JSON has its quotes escaped, and escaped again a floor
// deeper. These functions read such text without ever stopping in the middle of an escape.

/** A quotation mark. */
export interface Quote {
  readonly char: string;
  /** How many strings of JSON it is in: so often it is escaped. */
  readonly depth: number;
  /** Where what it encloses begins. */
  readonly end: number;
}

const backslash = 92;
const doubleQuote = 34;
/** A quotation mark as .NET writes it into a string of JSON, after a backslash. */
const coded = 'u0022';

/** The depth of a quote by the backslashes before it; with `u0022` there may be fewer. Other numbers are of no string of JSON. */
const depths: readonly (number | undefined)[] = [0, 1, undefined, 2, undefined, undefined, undefined, 3];
const codedDepths: readonly (number | undefined)[] = [undefined, 1, 2, 2, 3, 3, 3, 3];
const maxSlashes = 7;

/** Whether a line may be JSON; what is not can hold a lone quotation mark. */
export function isJsonLike(text: string): boolean {
  return /^[ \t\r\n]*[[{"]/.test(text);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Letters, digits, `_` and `-`: what names and most tokens are made of. */
export function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

/** Where the run of name characters around a place begins, or -1 where it is longer than `max`. The letter of an escape is no part of it. */
export function runStart(text: string, at: number, max = 64): number {
  let start = at;
  while (start > 0 && isNameCode(text.charCodeAt(start - 1))) if (at - --start > max) return -1;
  if (text.charCodeAt(start - 1) !== backslash) return start;
  const escape = /^(?:[bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(start, start + 5));
  return Math.min(at, start + (escape?.[0].length ?? 0));
}

/** Where the run of name characters ends, or -1 where it is longer than `max`. */
export function runEnd(text: string, at: number, max = 64): number {
  let end = at;
  while (isNameCode(text.charCodeAt(end))) if (++end - at > max) return -1;
  return end;
}

/** The quotation mark at this place, with the backslashes before it; some write it as `\\u0022`. */
export function quoteAt(text: string, at: number): Quote | undefined {
  let i = at;
  while (text.charCodeAt(i) === backslash && i - at <= maxSlashes) i++;
  const code = text.charCodeAt(i);
  if (code === 34 || code === 39 || code === 96) {
    const depth = depths[i - at];
    return depth === undefined ? undefined : { char: text.charAt(i), depth, end: i + 1 };
  }
  const depth = codedDepths[i - at];
  return depth === undefined || !text.startsWith(coded, i) ? undefined : { char: '"', depth, end: i + coded.length };
}

/** The quotation mark that ends right before this place. */
export function quoteBefore(text: string, end: number): Quote | undefined {
  let start = text.startsWith(coded, end - coded.length) ? end - coded.length : end - 1;
  const before = start;
  while (start > 0 && before - start <= maxSlashes && text.charCodeAt(start - 1) === backslash) start--;
  return quoteAt(text, start);
}

/** Behind the quotation mark that closes a quoted text which ends at this place. */
export function afterQuoted(text: string, end: number): number {
  return quoteAt(text, end)?.end ?? end;
}

export function isSameQuote(a: Quote | undefined, b: Quote): boolean {
  return a?.char === b.char && a.depth === b.depth;
}

/**
 * Whether a quote opens a value. After a name in quotes of the same kind it does. After a bare name it may as well close the string that
 * both are in, as that of `input("Password: ")` does; then a comma, a colon, a semicolon, a bracket, white space or the end comes after it.
 * @param name the quote that closes the name, if it has one
 */
export function opensValue(text: string, name: Quote | undefined, value: Quote): boolean {
  if (name?.char === value.char) return name.depth === value.depth;
  return !/^(?:[\s,:;)\]}"'`]|\\(?!u)|$)/.test(text.slice(value.end, value.end + 2));
}

/**
 * Where a quoted text ends: before its closing quote and the backslashes of that, before the end of a string that encloses it, or at the
 * end of the line, which may have been cut.
 */
export function quotedEnd(text: string, quote: Quote, json: boolean): number {
  const code = quote.char.charCodeAt(0);
  let run = 0;
  for (let i = quote.end; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === backslash) {
      run++;
      continue;
    }
    const isCoded = run > 0 && c === 117 && text.startsWith(coded, i);
    if ((isCoded || c === doubleQuote) && code === doubleQuote) {
      if (ends(run, isCoded, quote.depth)) return i - (run % 2 ** (quote.depth + 1));
    } else if (c === code) {
      if (run % (json ? 4 : 2) === 0) return i;
    } else if (c === doubleQuote && json && run % 2 === 0) {
      return i;
    }
    run = 0;
  }
  return text.length;
}

/** Whether a quote ends a string, or one around it: undoing a floor of escaping halves its backslashes until what is left says so. */
function ends(slashes: number, isCoded: boolean, depth: number): boolean {
  let run = slashes;
  let code = isCoded;
  for (let d = 0; d < depth; d++) {
    const even = run % 2 === 0;
    if (even && !code) return true;
    run = Math.floor(run / 2);
    code = code && even;
  }
  return !code && run % 2 === 0;
}

/** Where the JSON string that a place is in ends: at the next quote that is not escaped. */
export function stringEnd(text: string, at: number): number {
  return quotedEnd(text, { char: '"', depth: 0, end: escapeStart(text, at) ?? at }, true);
}

/** Where the escape begins that a place is in the middle of, if it is. */
export function escapeStart(text: string, at: number): number | undefined {
  const hex = /\\u[0-9a-fA-F]{0,3}$/.exec(text.slice(Math.max(0, at - 5), at));
  const end = hex === null ? at - 1 : at - hex[0].length;
  let start = end + 1;
  while (start > 0 && text.charCodeAt(start - 1) === backslash) start--;
  return (end + 1 - start) % 2 === 1 ? end : undefined;
}

/** After the spaces and tabs at this place, eight of them at the most. */
export function skipBlanks(text: string, at: number): number {
  let i = at;
  while (i - at < 8 && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9)) i++;
  return i;
}
