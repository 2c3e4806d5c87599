import type { Extent, ValueEnds } from './ends';
import type { NameInText } from './names';
import { isSecretHeader } from './names';
import type { Bond } from './named';
import { bareSecret, isLikely, isNameOfSecret, mnemonic, quotedSecret } from './named';
import { cookies, credentials } from './places';
import type { Span } from './span';
import { marker, maskedEnd, present } from './span';
import { isBrokenToken, isOpaque, isPassphrase } from './values';

/** The secrets that are assigned to a name in text: in source code, settings, headers, URLs, command lines and dumps of all kinds. */
export function assignedSecrets(ends: ValueEnds, name: NameInText): readonly Span[] {
  const { text } = ends;
  const quote = closingQuote(text, name);
  const after = name.end + quote.length;
  const isHeader = name.kind === 'authorization' || name.kind === 'cookie';
  const assigned = assignment(text, after, quote !== '', !isHeader);
  if (assigned !== undefined) return valueAt(ends, name, quote, assigned.from, assigned.bond);
  if (quote !== '') return afterQuoted(ends, name, quote, after);
  return pairedValue(ends, name) ?? instructed(ends, name) ?? elementText(ends, name, after) ?? [];
}

/** The quote around a name, which must be the same on both sides. */
function closingQuote(text: string, { start, end }: NameInText): string {
  const quote = text.charAt(end);
  return /["'`]/.test(quote) && text.charAt(start - 1) === quote ? quote : '';
}

interface Assignment {
  readonly from: number;
  readonly bond: Bond;
}

/** `=`, `:`, `:=`, `=>` and the like. `==`, `::` and `=~` compare or join. */
const operator =
  /([ \t]{0,8})(?:\])?[ \t]{0,8}(?:\[\w{0,8}\][ \t]{0,8})?(:=|=>|\?\?=|\|\|=|[?+]=|=(?![=~])|:(?![:=]))(?:[ \t]{0,8}|\s{0,64}(?=["'`]))/y;
/** A type between a name and its value: `apiKey: string = "…"`, `let key: &str = "…"`, `var apiKey string = "…"`. */
const typed =
  /(?:[ \t]{0,4}[:?!]{1,2}[ \t]{0,4}|[ \t]{1,4}(?:as |As )?)(?:\{ get;[^{}=]{0,40}\}|&?(?:'\w+ )?[\w.*&<>[\]|?]{1,40}(?: \|? ?\w{1,24})?)[ \t]{0,4}:?=[ \t]{0,4}(?=[\w:.]{0,32}[("'`@]|[brR]#?")/y;

function assignment(text: string, after: number, isQuoted: boolean, mayBeTyped: boolean): Assignment | undefined {
  typed.lastIndex = after;
  if (mayBeTyped && typed.test(text)) return { from: typed.lastIndex, bond: 'loose' };
  operator.lastIndex = after;
  const found = operator.exec(text);
  if (found === null) return undefined;
  const from = alternative(text, operator.lastIndex);
  const isClose = !isQuoted && found[0] === '=';
  return { from, bond: isClose ? 'close' : 'loose' };
}

const other = /[\w.$?[\]()"']{1,80}[ \t]{0,4}(?:\|\||\?\?|\?:|\bor\b)[ \t]{0,4}(?=["'`])/y;

/** A text that is taken if there is nothing else: `process.env.TOKEN || "…"`. */
function alternative(text: string, at: number): number {
  other.lastIndex = at;
  return other.test(text) ? other.lastIndex : at;
}

/** Prefixes of strings, `Some("…")`, `String::from("…")`, `[]byte("…")`, `SecretStr("…")`, `new ApiKey("…")`. */
const wrapper =
  /(?:&|&mut |new |\*)?(?:(?:\[\](?:string|byte)|[A-Za-z_][\w.]{0,40}(?:(?:::|\.)<?\w{1,40}>?){0,3})!?[({]){1,4}(?=[brRuf&@$]{0,2}#?["'`])|(?:Some|Secret\w{0,16})\((?=\S)/y;
const knownWrapper =
  /^(?:&|&mut |new |\*)?(?:(?:\[\](?:string|byte)|(?:std::|Secret)?[sS]tring(?:::(?:from|new|of))?|Some|Ok|Optional\.of|Buffer\.from|bytes|str|aws\.String|ptr|Ptr|Secret\w{0,16}(?:::new|::from|\.of|\.new)?)[({])+$/;
const prefix = /(?:[bBrRuUfFL@$]{1,2}|&)(?=["'`#])/y;

interface Opening {
  readonly from: number;
  readonly quote: string;
}

const quotes = /#{0,3}("""|'''|["'`])/y;

/** The value that begins at a place. */
function valueAt(ends: ValueEnds, name: NameInText, nameQuote: string, at: number, bond: Bond): readonly Span[] {
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
  if (char === '\\' && /^\\+["'`u]/.test(text.slice(from, from + 12))) return []; // Where it is decoded it is looked at.
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
function opens(text: string, nameStart: number, { from, quote }: Opening): boolean {
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
  const phrase = phraseEnd(ends, name, from, bond);
  if (phrase !== undefined) return quotedSecret(ends, name, from, phrase);
  if (maskedEnd(text, from) > 0 || from >= text.length) return [];
  if (name.kind === 'authorization') return present(credentials(ends, from));
  if (name.kind === 'cookie' && bond === 'loose') return present(cookies(ends, from));
  if (name.kind === 'plain token' && isOfText(text, name.start, from)) return [];
  // The user and the password of a URL have rules of their own.
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
function extentOf(ends: ValueEnds, { name, start }: NameInText, from: number, bond: Bond): Extent {
  const { text } = ends;
  const before = text.charAt(start - 1);
  if (/[?&#]/.test(before)) return 'query';
  if (before === ';') return 'parameter';
  if (bond === 'close' && /^[A-Z][A-Z0-9_]*$/.test(name)) {
    if (before === '"' || before === "'") return before;
    if (before === '' || /[\s[(]/.test(before)) return 'word';
  }
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

function blanksAt(text: string, at: number): number {
  let i = at;
  while (i - at < 8 && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9)) i++;
  return i;
}

const nameMember = /(?:^|[^\w-])(?:name|key|header|variable|field)["'`]?[ \t]*([:=])[ \t]*["'`]?$/i;
const valueMember = /\s{0,8},?\s{0,40}(?:- )?["'`]?value["'`]?[ \t]*[:=][ \t]*/iy;
const plist = /<\/key>\s{0,40}<string>/y;

/** `- name: API_KEY`, and its value in the next line. */
function pairedValue(ends: ValueEnds, name: NameInText): readonly Span[] | undefined {
  const { text } = ends;
  if (!nameMember.test(text.slice(Math.max(0, name.start - 48), name.start))) return undefined;
  valueMember.lastIndex = name.end;
  return valueMember.test(text) ? valueAt(ends, name, '', valueMember.lastIndex, 'loose') : undefined;
}

/** After a name in quotes: the value of its pair, the next argument, or the text of an element. */
function afterQuoted(ends: ValueEnds, name: NameInText, quote: string, after: number): readonly Span[] {
  const { text } = ends;
  const isMember = nameMember.test(text.slice(Math.max(0, name.start - 48), name.start));
  valueMember.lastIndex = after;
  if (isMember && valueMember.test(text)) return valueAt(ends, name, quote, valueMember.lastIndex, 'loose');
  if (isMember) {
    const element = /[^<>"'=]{0,80}>/y;
    element.lastIndex = after;
    if (element.test(text)) return elementValue(ends, name, element.lastIndex);
  }
  return listed(ends, name, quote, after);
}

const comma = /[ \t]{0,8},\s{0,40}(?:[brfu]|&)?(?=(["'`]))/y;

/** `"--token", "…"` in arguments, `"authorization", "…"` in headers, `setProperty("api.key", "…")`: a text of its own each. */
function listed(ends: ValueEnds, name: NameInText, quote: string, after: number): readonly Span[] {
  const { text } = ends;
  comma.lastIndex = after;
  const next = comma.exec(text)?.[1];
  if (next === undefined || next !== quote) return [];
  const from = comma.lastIndex + 1;
  const end = ends.quoted(quote, from);
  const value = text.slice(from, end);
  // What a colon follows is a name.
  if (text.charAt(blanksAt(text, end + 1)) === ':') return [];
  // What begins with a dash is the next argument, but for a token that happens to.
  if (value.startsWith('-') && !isOpaque(value) && !isBrokenToken(value)) return [];
  const isCertain = name.name.startsWith('-') || (isSecretHeader(name.name) && !/^[a-z]+:\/\//.test(value));
  const isCall = /[\w>]\(\s{0,40}["'`]$/.test(text.slice(Math.max(0, name.start - 48), name.start));
  if (!isCertain && !(isCall && !isNameOfSecret(value) && isLikely(name.kind, value))) return [];
  return quotedSecret(ends, name, from, end);
}

const instruction =
  /(?:^|[\s"'`([{,;|&])(?:ENV|ARG|set|setx|setenv|export|#[ \t]?define|-gx|-x|login \S{1,64}|config set)[ \t]{1,8}(?:\/\/\S{1,100}:)?$/;

/** `--token X`, `ENV API_KEY X`, `#define API_KEY "X"`, `PASSWORD 'X'`. */
function instructed(ends: ValueEnds, name: NameInText): readonly Span[] | undefined {
  const { text } = ends;
  const from = blanksAt(text, name.end);
  if (from === name.end) return undefined;
  const isOption = name.name.startsWith('-');
  const isInstruction = !isOption && instruction.test(text.slice(Math.max(0, name.start - 80), name.start));
  if (isOption || isInstruction) {
    const value = text.charAt(from);
    if (value === '=' || (isOption && /[-:&|;<>]/.test(value) && !isOpaque(text.slice(from, from + 40)))) return [];
    if (/["'`]/.test(value)) return quotedSecret(ends, name, from + 1, ends.quoted(value, from + 1));
    if (isInstruction) return bareSecret(ends, name, from, ends.bare(from, 'word'), 'close');
    const end = ends.bare(from, 'word');
    return isPassphrase(text.slice(from, end))
      ? quotedSecret(ends, name, from, end)
      : valueAt(ends, name, '', from, 'loose');
  }
  const quote = text.charAt(from);
  if (
    !/["']/.test(quote) ||
    !/^[A-Z][A-Z0-9_]+$/.test(name.name) ||
    !opens(text, name.start, { from: from + 1, quote })
  ) {
    return undefined;
  }
  const end = ends.quoted(quote, from + 1);
  return isLikely(name.kind, text.slice(from + 1, end)) ? quotedSecret(ends, name, from + 1, end) : [];
}

/** `<password>…</password>`, `<key>API_KEY</key><string>…</string>`, `.password("…")`. */
function elementText(ends: ValueEnds, name: NameInText, after: number): readonly Span[] | undefined {
  const { text } = ends;
  plist.lastIndex = after;
  if (plist.test(text)) return elementValue(ends, name, plist.lastIndex);
  const isElement = /<(?:[\w.-]{1,32}:)?(?:[\w-]{1,64}\.){0,4}$/.test(
    text.slice(Math.max(0, name.start - 64), name.start),
  );
  const attributes = /(?:[ \t][^<>]{0,120})?>/y;
  attributes.lastIndex = after;
  if (isElement && attributes.test(text)) return elementValue(ends, name, attributes.lastIndex);
  return called(ends, name, after);
}

function elementValue(ends: ValueEnds, name: NameInText, from: number): readonly Span[] {
  const end = ends.element(from);
  const { text } = ends;
  if (!text.startsWith('</', end) || isNameOfSecret(text.slice(from, end))) return [];
  return quotedSecret(ends, name, from, end);
}

const callee = /[({][ \t]{0,4}(?=["'`])/y;

function called(ends: ValueEnds, name: NameInText, after: number): readonly Span[] {
  const { text } = ends;
  callee.lastIndex = after;
  if (!callee.test(text)) return [];
  const from = callee.lastIndex + 1;
  const end = ends.quoted(text.charAt(from - 1), from);
  const isDeclared = /\b(?:string|String|auto) $/.test(text.slice(Math.max(0, name.start - 8), name.start));
  return isDeclared || isLikely(name.kind, text.slice(from, end)) ? quotedSecret(ends, name, from, end) : [];
}
