import { isJson } from '../../text/jsonText';
import type { Span } from '../span';
import { marker, maskedRest } from '../span';
import { isBrokenToken, isOpaque } from '../values';
import { rawView, withoutColours } from '../view';

const beginning = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE $/;
const rest = /KEY(?: BLOCK)?-----/y;
/** In HTML. */
const lineBreak = '<br ?/?>';
/** Between two lines of a key that are quoted one by one, as in source code and as Node prints them. */
const joint = String.raw`['\`](?:\s|\\+[nrt]){0,64}\+(?:\s|\\+[nrt]){0,64}['\`]`;
const begins = new RegExp(
  String.raw`(?:\s|\\+[nrt]|${lineBreak})*(?:${joint})?(?:[A-Za-z0-9+/=\\]{16}|Proc-Type|DEK-Info|Version|Comment)`,
  'y',
);
/** What OpenPGP has before the base64, which may be any text (RFC 9580). */
const headers = /(?:(?:\s|\\+[nrt]){0,16}(?:Version|Comment|Charset|Hash|MessageID): [^\r\n\\"'`]{0,200}){0,8}/y;
const body = new RegExp(
  String.raw`[A-Za-z0-9+/=\s:,]+|\\+(?:[nrt/]|u00[0-9a-fA-F]{2})|-(?!-)|${lineBreak}|${joint}`,
  'y',
);

/** Whether the `KEY` at this place belongs to the first line of a private key. */
export function isPrivateKeyLine(text: string, at: number): boolean {
  return beginning.test(text.slice(Math.max(0, at - 48), at));
}

/**
 * A private key between its BEGIN and END, as lines or with escaped line breaks; `at` is where the `KEY` of the first line is. One whose
 * end is missing goes as far as it looks like one. (gitleaks: private-key; secretlint: privatekey)
 */
export function privateKey(text: string, at: number): Span | undefined {
  if (!isPrivateKeyLine(text, at)) return undefined;
  rest.lastIndex = at;
  if (!rest.test(text)) return undefined;
  const start = rest.lastIndex;
  // What only speaks of such a line is left alone.
  begins.lastIndex = start;
  if (!begins.test(text)) return undefined;
  headers.lastIndex = start;
  headers.test(text);
  let end = headers.lastIndex;
  for (;;) {
    body.lastIndex = end;
    if (!body.test(text)) break;
    end = body.lastIndex;
  }
  return { start, end, text: maskedRest };
}

/** The first line of a private key, to its end; in quotes, its line break may be escaped. */
const opening = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:\\+[nr])*["'`]\s?[+,]?)?$/;
/** What of it may come after its dashes, in characters, with colours. */
const maxTail = 32;

/** Whether a line begins a private key that goes on in the next ones. */
export function opensPrivateKey(text: string): boolean {
  const line = text.trimEnd();
  return line.slice(-maxTail).includes('-----') && opening.test(withoutColours(rawView(line))?.text ?? line);
}

/** A line of nothing but base64. */
const bareLine = /^\s*[A-Za-z0-9+/]{1,128}={0,2}\s*$/;
/** The headers that some keys have. What they encrypt with is taken for a part of the key. */
const cipher = /^\s*(?:Proc-Type|DEK-Info): .{1,100}$/;
const keyHeader = /(?:Proc-Type|DEK-Info|Version|Comment): /;
const lastLine = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY/;

/** What may follow the base64 of a line in quotes. */
const trailing = /(?:\\+[nr])*["'`]?\s?[+,]?$/;
const maxTrailing = 16;
const opensQuote = /^\s*["'`]$/;

/**
 * A line of a key has 64 characters, its last one has fewer. Nothing else in the middle of a key has this many in a row. Its
 * first one never has fewer: until it has come, the line that a key begins with may have been quoted in a text.
 */
const manyCharacters = 40;
/** Maximum number of other lines in between. */
const maxOthers = 8;
/** How much of the text before the base64 is remembered, in characters. */
const maxBefore = 200;

/**
 * The lines of a private key that has begun in a stream: bare ones, and those in quotes or behind what a logger puts before each line. It is
 * over with its last line, or when something else has come for long.
 */
export class PrivateKeyLines {
  private before: string | undefined;
  private others = 0;
  private hasEnded = false;

  get isOver(): boolean {
    return this.hasEnded || this.others > maxOthers;
  }

  /** The line without its part of the key, and without its colours; `undefined` if it isn't part of a key. */
  take(line: string): string | undefined {
    const text = withoutColours(rawView(line))?.text ?? line;
    // A message that comes between two lines of a key is of another thread.
    if (isMessage(text)) return undefined;
    if (lastLine.test(text)) {
      this.hasEnded = true;
      return undefined;
    }
    if (text.trim() === '') return line;
    if (this.others === 0 && (cipher.test(text) || (this.before?.trim() === '' && bareLine.test(text)))) return marker;
    const { start, end } = lastRun(text);
    if (this.isOfKey(text, start, end)) return text.slice(0, start) + marker + text.slice(end);
    if (!keyHeader.test(text) && !this.isBlank(text)) this.others++;
    return undefined;
  }

  private isOfKey(text: string, start: number, end: number): boolean {
    const before = form(text.slice(0, start));
    if (end - start >= manyCharacters) {
      // A hash or a path belongs to the key only in the same column as the other lines.
      if (before !== this.before && !isKeyText(text.slice(start, end))) return false;
      this.before = before;
      this.others = 0;
      return true;
    }
    if (end === start || this.before === undefined) return false;
    const isShort = before === this.before;
    // After that there is only the last one, which is no secret.
    if (isShort) this.hasEnded = true;
    return isShort || (this.others === 0 && opensQuote.test(before) && end < text.trimEnd().length);
  }

  /** Whether a line has only the text that comes before the other lines' base64. */
  private isBlank(text: string): boolean {
    return this.before !== undefined && form(text).trimEnd() === this.before.trimEnd();
  }
}

function isMessage(text: string): boolean {
  const first = text.trimStart().charAt(0);
  return first === '{' || (first === '[' && isJson(text));
}

/** What chance makes of 40 characters of base64: capitals, small letters and digits all over it. */
function isKeyText(run: string): boolean {
  return (isOpaque(run) || isBrokenToken(run)) && /[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run);
}

/** What loggers put before each line is the same but for times and counts. */
function form(before: string): string {
  return before.slice(0, maxBefore).replace(/\d+/g, '0');
}

/** The base64 that a line ends with, before a quote and what joins it to the next line. */
function lastRun(text: string): { readonly start: number; readonly end: number } {
  const line = text.trimEnd();
  const end = line.length - (trailing.exec(line.slice(-maxTrailing))?.[0].length ?? 0);
  let start = end;
  while (start > 0 && end - start < 2 && line.charAt(start - 1) === '=') start--;
  while (start > 0 && isBase64(line.charCodeAt(start - 1))) start--;
  return { start, end };
}

function isBase64(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) || // and the slash
    code === 43
  );
}
