import { cookies, credentials } from './headers';
import { marker, masked, maskedEnd } from './marker';
import type { SecretKind } from './names';
import { isSecretHeader, secretKind } from './names';
import {
  isBrokenToken,
  isCode,
  isMixed,
  isNumber,
  isOpaque,
  isOrdinarySetting,
  isPath,
  isPlaceholder,
  isProse,
  isVersion,
} from './ordinary';
import { pairedValues } from './pairs';
import type { Quote } from './rawText';
import { afterQuoted, isSameQuote, opensValue, quoteAt, quoteBefore, runEnd, runStart, skipBlanks } from './rawText';
import { shapeAt } from './shapes';
import type { Span } from './span';
import type { ValueEnds } from './valueEnds';

/** A name of a secret, and the line that it is in. */
interface Named {
  readonly text: string;
  readonly ends: ValueEnds;
  readonly name: string;
  readonly start: number;
  readonly kind: SecretKind;
  /** The quote that closes the name, where it is quoted. */
  readonly quote: Quote | undefined;
}

/** How a value without quotes stands by its name: `a=b`, or looser (`a: b`, `a = b`, `--a b`), where it may as well be a sentence. */
type Bond = 'close' | 'loose';

/** The secrets that the name gives away which a place is in: most often there is none, and that shows at the character after it. */
export function keyedSecrets(ends: ValueEnds, at: number): readonly Span[] {
  const { text } = ends;
  const end = runEnd(text, at);
  const quote = end < 0 ? undefined : quoteAt(text, end);
  const after = end < 0 ? end : skipBlanks(text, quote?.end ?? end);
  const code = text.charCodeAt(after);
  const assigns = code === 58 || code === 61;
  if (!assigns && quote === undefined && after <= end) return [];
  if (assigns && quote !== undefined && isNotText(text, after + 1)) return [];
  const start = runStart(text, at);
  const isFlag = quote === undefined && after > end && text.startsWith('--', start);
  if (start < 0 || (!assigns && !isFlag && quote === undefined)) return [];
  const name = text.slice(start, end);
  const kind = secretKind(name);
  if (kind === undefined || (kind === 'plain token' && isProgress(text))) return [];
  const named: Named = { text, ends, name, start, kind, quote };
  if (assigns) {
    // `==`, `::` and `=~` compare or join; `=>` assigns.
    const width = text.charAt(after + 1) === '>' ? 2 : 1;
    if (width === 1 && /[:=~]/.test(text.charAt(after + 1))) return [];
    const from = skipBlanks(text, after + width);
    const bond = code === 61 && width === 1 && quote === undefined && after === end && from === after + 1;
    return valueAt(named, from, bond ? 'close' : 'loose');
  }
  if (isFlag) return valueAt(named, after, 'loose');
  if (quote === undefined || !isSameQuote(quoteBefore(text, start), quote)) return [];
  const paired = pairedValues(ends, start, quote);
  if (paired.length > 0) return paired.flatMap((value) => quoted(named, value.start, value.end));
  return code === 44 ? listed(named, quote, after + 1) : [];
}

/** In a language server's progress the token is what follows it, and no secret. */
function isProgress(text: string): boolean {
  // The method stands at the beginning; searching all of a long line for each of its tokens would take the square of its length.
  const head = text.slice(0, 500);
  return head.includes('$/progress') || head.includes('window/workDoneProgress/');
}

/** `"--token", "…"` in a list of arguments, `"authorization", "…"` in a list of headers: a text of its own each. */
function listed(named: Named, quote: Quote, at: number): readonly Span[] {
  const { text, name, ends } = named;
  if (!name.startsWith('-') && !isSecretHeader(name)) return [];
  const value = quoteAt(text, skipBlanks(text, at));
  if (value === undefined || !isSameQuote(value, quote)) return [];
  const end = ends.quoted(value);
  // What a colon follows is a name.
  const isName = text.charAt(skipBlanks(text, afterQuoted(text, end))) === ':';
  if (isName) return [];
  // What begins with a dash is the next argument, but for a token that happens to.
  const argument = text.slice(value.end, end);
  const isArgument = argument.startsWith('-') && !isOpaque(argument) && !isBrokenToken(argument);
  return isArgument ? [] : quoted(named, value.end, end);
}

const notText = /[ \t]*(?:[{\d]|-\d|(?:true|false|null)\b)/y;

/** Whether a value is one that is no string in JSON: a number, a literal, an object. Most names with a secret's word in it have those. */
function isNotText(text: string, at: number): boolean {
  notText.lastIndex = at;
  return notText.test(text);
}

function valueAt(named: Named, at: number, bond: Bond): readonly Span[] {
  const { text, ends, quote } = named;
  let from = at;
  wrapper.lastIndex = from;
  if (wrapper.test(text)) from = wrapper.lastIndex;
  if (text.charAt(from) === '[') return elements(named, from + 1);
  const value = quoteAt(text, from);
  if (value === undefined) return bare(named, from, bond);
  return opensValue(text, quote, value) ? quoted(named, value.end, ends.quoted(value)) : [];
}

/** How Rust prints a value that may be missing or is wrapped; Python's prefixes of strings. */
const wrapper = /(?:Some|Secret\w{0,16})\(|[brfu](?=["'])/y;

/** The texts of a list: an HTTP header has one of them for every time it was sent. */
function elements(named: Named, at: number): readonly Span[] {
  const { text, ends, quote } = named;
  const found: Span[] = [];
  let from = at;
  for (let n = 0; n < 64; n++) {
    const value = quoteAt(text, skipBlanks(text, from));
    if (value === undefined || !opensValue(text, quote, value)) break;
    const end = ends.quoted(value);
    // A message about a password is a sentence; an element of this list which is a secret has no spaces, but cookies do.
    if (named.kind === 'cookie' || named.kind === 'authorization' || !ends.hasWhite(value.end, end)) {
      found.push(...quoted(named, value.end, end));
    }
    from = skipBlanks(text, afterQuoted(text, end));
    if (text.charAt(from) !== ',') break;
    from++;
  }
  return found;
}

/** The secret between quotes: all of it, unless it says nothing. */
function quoted({ text, ends, kind, name, start: nameStart }: Named, start: number, end: number): readonly Span[] {
  const value = text.slice(start, end);
  if (isPlaceholder(value) || maskedEnd(text, start) === end) return [];
  if (kind === 'authorization') return present(credentials(ends, start, end));
  if (kind === 'password' || kind === 'secret' ? isProse(value) : kind !== 'cookie' && ends.hasWhite(start, end)) {
    // A token or key with spaces is a sentence about it.
    return [];
  }
  if (kind === 'plain token' && (isPlainWord(value) || isOfText(text, nameStart, end))) return [];
  if (kind === 'key' && (value.length < 3 || (nameOfPlace.test(name) && isOrdinarySetting(value)))) return [];
  if (kind !== 'password' && isVersion(value)) return [];
  if (kind !== 'password' && kind !== 'secret' && (isNameOfSecret(value) || isShortNumber(value))) return [];
  if (kind !== 'password' && isPath(value) && !isOpaque(value)) return [];
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) && isNameOfSecret(value)) return [];
  if (/^(?:old)?pwd$/i.test(name) && isPath(value)) return [];
  return [secret(text, start, end)];
}

function bare({ text, ends, kind, name, start, quote }: Named, from: number, bond: Bond): readonly Span[] {
  if (maskedEnd(text, from) > 0) return [];
  if (kind === 'authorization' && text.charAt(from) !== '') return present(credentials(ends, from));
  if (kind === 'cookie' && bond === 'loose' && quote === undefined) return present(cookies(ends, from));
  const inUrl = isInQuery(text, start);
  // The user and the password of a URL have rules of their own.
  if (text.startsWith('://', from - 1) || text.startsWith('//', start - 2)) return [];
  const end = ends.bare(from, inUrl);
  const value = text.slice(from, end);
  if (isPlaceholder(value) || /^[[{(]/.test(value) || (kind !== 'cookie' && isPath(value) && !isOpaque(value))) {
    return [];
  }
  if (isNumber(value) && (kind !== 'password' || bond === 'loose' || value.length < 4)) return [];
  const isEnv = /^[A-Z][A-Z0-9_]*$/.test(name);
  if (kind === 'plain token' && !isEnv && isPlainWord(value)) return [];
  if (isNameOfSecret(value) || (kind !== 'password' && isVersion(value))) return [];
  if (!isEnv && isCode(value)) return [];
  if (bond === 'close') return isShortNumber(value) && kind !== 'password' ? [] : [secret(text, from, end)];
  const likely = isOpaque(value) || isBrokenToken(value) || (kind === 'password' && isMixed(value));
  return likely ? [secret(text, from, end)] : [];
}

/** Whether a name stands in the query of a URL, where `&` may have been escaped. */
function isInQuery(text: string, start: number): boolean {
  return /(?:[?&#]|u0026|&amp;)$/.test(text.slice(Math.max(0, start - 5), start));
}

/** A word as a parser or a language model has it, with its space before and punctuation after. */
function isPlainWord(value: string): boolean {
  return /^[^A-Za-z0-9]{0,2}[A-Za-z]?[a-z]{0,24}[^A-Za-z0-9]{0,2}$/.test(value);
}

/** Of something that is stored, and of the key that a program has for it: `"storageKey":"user-preferences"`. */
const nameOfPlace = /(?:storage|client|service|role)[_-]?keys?$/i;

const afterWord = /\\*["'`],\s{0,8}\\*["'`](?:logprob|bytes)\b/y;

/** Whether a token is a part of a text: a parser did not expect it, or a language model says how likely it is. */
function isOfText(text: string, nameStart: number, end: number): boolean {
  afterWord.lastIndex = end;
  return afterWord.test(text) || /(?:unexpected|expected) $/i.test(text.slice(Math.max(0, nameStart - 11), nameStart));
}

/** The name of a secret in place of the secret: `password=password`, `"apiKey":"OPENAI_API_KEY"`. */
function isNameOfSecret(value: string): boolean {
  return /^[A-Za-z_-]{3,40}$/.test(value) && secretKind(value) !== undefined;
}

function isShortNumber(value: string): boolean {
  return /^\d{1,5}$/.test(value);
}

function present(span: Span | undefined): readonly Span[] {
  return span === undefined ? [] : [span];
}

function secret(text: string, start: number, end: number): Span {
  const shape = shapeAt(text, start);
  return { start, end, text: shape === undefined ? marker : masked(shape.prefix) };
}
