import type { Extent, ValueEnds } from '../ends';
import type { NameInText } from '../names';
import type { Bond } from './named';
import { bareSecret, isLikely, mnemonic, quotedSecret } from './named';
import { secretsBelow } from './blocks';
import { cookies, credentials } from '../places';
import type { Span } from '../span';
import { marker, maskedEnd, present } from '../span';
import { isPassphrase } from '../values';

/** Prefixes of strings, `Some("…")`, `String::from("…")`, `[]byte("…")`, `SecretStr("…")`, `new ApiKey("…")`. */
const wrapper =
  /(?:&|&mut |new |\*)?(?:(?:\[\](?:string|byte)|[A-Za-z_][\w.]{0,40}(?:(?:::|\.)<?\w{1,40}>?){0,3})!?[({]){1,4}(?=[brRuf&@$]{0,2}#?["'`])|(?:Some|Secret\w{0,16})\((?=\S)/y;
const knownWrapper =
  /^(?:&|&mut |new |\*)?(?:(?:\[\](?:string|byte)|(?:std::|Secret)?[sS]tring(?:::(?:from|new|of))?|Some|Ok|Optional\.of|Buffer\.from|bytes|str|aws\.String|ptr|Ptr|Secret\w{0,16}(?:::new|::from|\.of|\.new)?)[({])+$/;
const prefix = /(?:[bBrRuUfFLN@$]{1,2}|&|string\(\d{1,6}\) )(?=["'`#])/y;

interface Opening {
  readonly from: number;
  readonly quote: string;
}

const quotes = /#{0,3}("""|'''|["'`])/y;

/** The secret in the value that begins at this place. */
export function valueAt(ends: ValueEnds, name: NameInText, nameQuote: string, at: number, bond: Bond): readonly Span[] {
  const { text } = ends;
  wrapper.lastIndex = at;
  const wrapped = wrapper.exec(text)?.[0] ?? '';
  prefix.lastIndex = at + wrapped.length;
  const from = prefix.test(text) ? prefix.lastIndex : at + wrapped.length;
  const char = text.charAt(from);
  if (char === '[' || /\[\]string\{$/.test(wrapped)) {
    const found = elements(ends, name, nameQuote, char === '[' ? from + 1 : from);
    if (found !== undefined) return found;
  }
  if (char === '{' && name.kind === 'cookie') return members(ends, from + 1);
  if (char === '\\' && /^\\+["'`u]/.test(text.slice(from, from + 12))) return []; // It is searched once decoded.
  quotes.lastIndex = from;
  const quote = quotes.exec(text)?.[1];
  if (quote === undefined) return bareAt(ends, name, from, bond);
  const opening = { from: quotes.lastIndex, quote };
  if (nameQuote === '' && !opens(text, name.start, opening)) return [];
  const end = ends.quoted(quote, opening.from);
  const isOwn = wrapped !== '' && !knownWrapper.test(wrapped);
  if (isOwn && !isLikely(name.kind, text.slice(opening.from, end))) return [];
  if (name.kind === 'plain token' && isOfText(text, name.start, end + quote.length)) return [];
  return quotedSecret(ends, name, opening.from, end);
}

/**
 * Whether a quote after a bare name opens a value: it may as well close the string that both are in, as that of `input("Password: ")`
 * does. What comes after it may tell; else the quotes before the name are counted.
 */
export function opens(text: string, nameStart: number, { from, quote }: Opening): boolean {
  if (!/^(?:[\s,:;)\]}"'`]|$)/.test(text.charAt(from))) return true;
  if (/^(?:\s|$)/.test(text.charAt(from))) return false;
  const line =
    text
      .slice(Math.max(0, nameStart - 256), nameStart)
      .split('\n')
      .at(-1) ?? '';
  const before = line.split(quote).length - 1;
  return (
    before % 2 === 0 &&
    text
      .slice(from, from + 256)
      .split('\n')[0]
      ?.includes(quote) === true
  );
}

const afterWord = /,\s{0,8}["'`](?:logprob|bytes)\b/y;

/** Whether a token is a part of a text: a parser did not expect it, or a language model says how likely it is. */
function isOfText(text: string, nameStart: number, end: number): boolean {
  afterWord.lastIndex = end;
  return afterWord.test(text) || /(?:unexpected|expected) $/i.test(text.slice(Math.max(0, nameStart - 11), nameStart));
}

/** The secret without quotes: up to where a blank or a bracket ends it. */
function bareAt(ends: ValueEnds, name: NameInText, from: number, bond: Bond): readonly Span[] {
  const { text } = ends;
  const below = bond === 'loose' ? secretsBelow(ends, name, from) : undefined;
  if (below !== undefined) return below;
  const phrase = phraseEnd(ends, name, from, bond);
  if (phrase !== undefined) return quotedSecret(ends, name, from, phrase);
  if (maskedEnd(text, from) > 0 || from >= text.length) return [];
  if (name.kind === 'authorization') return present(credentials(ends, from));
  if (name.kind === 'cookie' && bond === 'loose') return present(cookies(ends, from));
  if (name.kind === 'plain token' && isOfText(text, name.start, from)) return [];
  // Other rules handle the user and the password of a URL.
  if (text.startsWith('://', from - 1) || text.startsWith('//', name.start - 2)) return [];
  if (name.kind === 'mnemonic') return mnemonicAt(text, from);
  const extent = extentOf(ends, name, from, bond);
  return bareSecret(ends, name, from, ends.bare(from, extent), bond, extent === 'parameter');
}

function mnemonicAt(text: string, from: number): readonly Span[] {
  mnemonic.lastIndex = from;
  return mnemonic.test(text) ? [{ start: from, end: mnemonic.lastIndex, text: marker }] : [];
}

/** The end of the line where a password in an environment may be one of several words. */
function phraseEnd(ends: ValueEnds, { kind, start }: NameInText, from: number, bond: Bond): number | undefined {
  const { text } = ends;
  if ((kind !== 'password' && kind !== 'secret' && kind !== 'mnemonic') || bond !== 'close') return undefined;
  const opening = text.charAt(start - 1);
  if (opening === '"' || opening === "'" || opening === ';') {
    const closed = ends.bare(from, 'parameter part');
    return isPassphrase(text.slice(from, closed)) ? closed : undefined;
  }
  const end = ends.line(from);
  if (!ends.hasWhite(from, end) || /[^\w .,-]|(?:^| )-|\.\//.test(text.slice(from, Math.min(end, from + 200)))) {
    return undefined;
  }
  const before = text.slice(Math.max(0, start - 128), start);
  const isAlone = start === 0 || /(?:^|\n)(?:set |[A-Za-z_]\w*=[^\n]*\n)$/.test(before);
  const isNext = /^\n[A-Za-z_]\w*=/.test(text.slice(end, end + 64)) && /(?:^|\n)$/.test(before);
  return isAlone || isNext ? end : undefined;
}

const lineStart = /(?:^|[\r\n\0])[ \t]{0,64}(?:- )?(?:export |ENV |ARG |set |declare -x |-e )?(?:[\w.-]{1,64}[.])?$/;

/** What a variable or a setting has that stands alone in its line is its value, whatever is in it. */
function extentOf(ends: ValueEnds, { name, kind, start }: NameInText, from: number, bond: Bond): Extent {
  const { text } = ends;
  const before = text.charAt(start - 1);
  if (/[?&#]/.test(before)) return 'query';
  if (before === ';') return 'parameter';
  if (bond === 'close' && /^[A-Z][A-Z0-9_]*$/.test(name)) {
    if (before === '"' || before === "'") return before;
    if (before === '' || /[\s[(]/.test(before)) return 'word';
  }
  // The body of a form: `code=…&grant_type=…`.
  if (kind === 'perhaps token' && bond === 'close') return 'query';
  if (!lineStart.test(text.slice(Math.max(0, start - 140), start))) return 'text';
  return ends.hasWhite(from, ends.line(from)) ? 'text' : 'word';
}

/** The texts of a list: an HTTP header has one of them for every time it was sent. */
function elements(ends: ValueEnds, name: NameInText, nameQuote: string, at: number): readonly Span[] | undefined {
  const { text } = ends;
  const found: Span[] = [];
  let from = at;
  for (let n = 0; n < 64; n++) {
    const open = blanksAt(text, from);
    const quote = text.charAt(open);
    if (!/["'`]/.test(quote)) return n === 0 ? bareElement(ends, name, nameQuote, at) : found;
    if (nameQuote === '' && !opens(text, name.start, { from: open + 1, quote })) break;
    const end = ends.quoted(quote, open + 1);
    // A message about a password is a sentence; an element of this list which is a secret has no spaces, but cookies do.
    const mayBeLong = name.kind === 'cookie' || name.kind === 'authorization';
    if (mayBeLong || !ends.hasWhite(open + 1, end)) found.push(...quotedSecret(ends, name, open + 1, end));
    from = blanksAt(text, end + 1);
    if (text.charAt(from) !== ',') break;
    from++;
  }
  return found;
}

const member = /\s{0,40}(?:[\w-]{1,64}|"[^"\n]{1,64}"|'[^'\n]{1,64}')\s{0,8}:\s{0,8}(["'`])/y;

/** The cookies of an object, by their names: `cookies={"session": "…"}`. */
function members(ends: ValueEnds, at: number): readonly Span[] {
  const { text } = ends;
  const found: Span[] = [];
  for (let from = at; ; from++) {
    member.lastIndex = from;
    const quote = member.exec(text)?.[1];
    if (quote === undefined) return found;
    const start = member.lastIndex;
    const end = ends.quoted(quote, start);
    if (isLikely('secret', text.slice(start, end))) found.push({ start, end, text: marker });
    from = blanksAt(text, end + 1);
    if (text.charAt(from) !== ',') return found;
  }
}

/** The first element of a list without quotes, as Go prints the headers of HTTP: `X-Api-Key:[…]`. */
function bareElement(ends: ValueEnds, name: NameInText, nameQuote: string, from: number): readonly Span[] | undefined {
  const { text } = ends;
  const { kind } = name;
  const end = ends.list(from);
  if (nameQuote !== '' || text.charAt(end) !== ']') return undefined;
  const span = kind === 'cookie' ? cookies(ends, from) : kind === 'authorization' ? credentials(ends, from) : undefined;
  if (span !== undefined) return [{ ...span, end: Math.min(span.end, end) }];
  if (kind === 'cookie' || kind === 'authorization') return [];
  const found = bareSecret(ends, name, from, Math.min(end, ends.bare(from, 'text')), 'loose');
  return found.length > 0 || end - from < 40 ? (found.length > 0 ? found : undefined) : undefined;
}

/** After the spaces and tabs at this place. */
export function blanksAt(text: string, at: number): number {
  let i = at;
  while (i - at < 8 && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9)) i++;
  return i;
}
