import { blanksAt, opens, valueAt } from './assignedValue';
import type { ValueEnds } from '../ends';
import type { NameInText } from '../names';
import { isSecretHeader } from '../names';
import type { Bond } from './named';
import { bareSecret, isLikely, isNameOfSecret, quotedSecret } from './named';
import type { Span } from '../span';
import { present } from '../span';
import { isBrokenToken, isMixed, isOpaque, isPassphrase } from '../values';
import { tableSecrets } from './tables';
import { onceCode, ownedSecret, toldSecret } from './told';
import { manifestSecrets } from './manifests';
import { changedSecret, sentSecret, typedSecret } from './typed';

/** The secrets that are assigned to a name in text: in source code, settings, headers, URLs, command lines and dumps of all kinds. */
export function assignedSecrets(ends: ValueEnds, name: NameInText): readonly Span[] {
  const found = valuesOf(ends, name);
  return [...found, ...changedSecret(ends, name, found.at(-1)), ...manifestSecrets(ends, name)];
}

function valuesOf(ends: ValueEnds, name: NameInText): readonly Span[] {
  const { text } = ends;
  const code = name.kind === 'code' ? onceCode(ends, name) : undefined;
  if (code !== undefined) return [code];
  const sent = name.kind === 'password' ? sentSecret(ends, name) : undefined;
  if (sent !== undefined) return sent;
  const quote = closingQuote(text, name);
  const after = name.end + quote.length;
  const isHeader = name.kind === 'authorization' || name.kind === 'cookie';
  const assigned = assignment(text, after, quote !== '', !isHeader);
  if (assigned !== undefined) return valueAt(ends, name, quote, assigned.from, assigned.bond);
  const found =
    inputValue(ends, name) ??
    typedSecret(ends, name) ??
    (quote === ''
      ? (pairedValue(ends, name) ?? instructed(ends, name) ?? elementText(ends, name, after) ?? [])
      : afterQuoted(ends, name, quote, after));
  if (found.length > 0) return found;
  const cells = tableSecrets(ends, name);
  return cells.length > 0 || quote !== '' ? cells : present(toldSecret(ends, name) ?? ownedSecret(ends, name));
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

/** `=`, `:`, `:=`, `=>` and the like, in Markdown with asterisks beside. `==`, `::` and `=~` compare or join. */
const operator =
  /(?:\*{1,2}(?=:))?([ \t\u00a0\u202f]{0,8})(?:(?:lautet|ist|is|est|es|[èé])[ \u00a0]?(?=:))?(?:\])?[ \t]{0,8}(?:\[\w{0,8}\][ \t]{0,8})?(:=|=>|<<<|\?\?=|\|\|=|[?+]=|=(?![=~])|:(?![:=])|[：＝]|[は为為是](?=[ \t]?[「『“"'`]?[!-~]))(?:\*{1,2}(?=[ \t]))?[ \t]{0,8}(?:[「『“](?=[!-~]))?/y;
/** A type between a name and its value: `apiKey: string = "…"`, `let key: &str = "…"`, `var apiKey string = "…"`. */
const typed =
  /(?:[ \t]{0,4}[:?!]{1,2}[ \t]{0,4}|[ \t]{1,4}(?:as |As )?)(?:\{ get;[^{}=]{0,40}\}|&?(?:'\w+ )?[\w.*&<>[\]|?]{1,40}(?: \|? ?\w{1,24})?)[ \t]{0,4}:?=[ \t]{0,4}(?=[\w:.]{0,32}[("'`@]|[brR]#?")/y;

function assignment(text: string, after: number, isQuoted: boolean, mayBeTyped: boolean): Assignment | undefined {
  typed.lastIndex = after;
  // After a quote and a blank comes the next attribute of an element.
  const isAttribute = isQuoted && /[ \t]/.test(text.charAt(after));
  if (mayBeTyped && !isAttribute && typed.test(text)) return { from: typed.lastIndex, bond: 'loose' };
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

const nameMember = /(?:^|[^\w-])(?:name|key|header|variable|field)["'`]?[ \t]*([:=])[ \t]*["'`]?$/i;
const valueMember = /\s{0,8},?\s{0,40}(?:- )?["'`]?(?:value|content)["'`]?[ \t]*[:=][ \t]*/iy;
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
    const element = /(?:\s{1,8}[\w:.-]{1,40}="[^"<>]{0,40}"){0,4}[^<>"'=]{0,80}>(?:\s{0,40}<value>)?/y;
    element.lastIndex = after;
    if (element.test(text)) return elementValue(ends, name, element.lastIndex);
  }
  variable.lastIndex = after;
  if (variable.test(text)) return valueAt(ends, name, '', variable.lastIndex, 'loose');
  return listed(ends, name, quote, after);
}

/** Of Terraform: `variable "db_password" { default = "…" }`. */
const variable = /(?<=\bvariable "[\w-]{1,64}")\s{0,8}\{[^{}]{0,200}?\bdefault\s{0,8}=\s{0,8}/y;

const comma = /[ \t]{0,8},\s{0,40}(?:[brfu]|&)?(?=(["'`]))/y;

/** `"--token", "…"` in arguments, `"authorization", "…"` in headers, `setProperty("api.key", "…")`: two texts in quotes. */
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

/** Settings of servers that a blank comes after. */
const directive = /^(?:requirepass|masterauth|bindpw|rootpw)$/;

/** `gh secret set NAME --body X`, `Set-Item Env:NAME -Value X` */
const valueOption = /[ \t]{1,4}(?:-{1,2}(?:body|value)|-b)[ =]{1,2}(?=["'`]?[^\s$"'`-])(?<quote>["'`])?/iy;

/** `set API_KEY environment variable`, `set password policy to strict`, in the words of a program. */
function isSentence(text: string, from: number): boolean {
  return /^(?:env(?:ironment)? var|(?:polic(?:y|ies)|rules?|requirements|reset|strength|length|expiry)\b)/i.test(
    text.slice(from, from + 16),
  );
}

/** `--token X`, `ENV API_KEY X`, `#define API_KEY "X"`, `PASSWORD 'X'`. */
function instructed(ends: ValueEnds, name: NameInText): readonly Span[] | undefined {
  const { text } = ends;
  const from = blanksAt(text, name.end);
  if (from === name.end) return undefined;
  valueOption.lastIndex = name.end;
  const option = valueOption.exec(text);
  if (option !== null && name.name !== 'htpasswd') {
    const start = valueOption.lastIndex;
    return quotedSecret(ends, name, start, ends.opened(option.groups?.['quote'], start, 'word'));
  }
  const isOption = name.name.startsWith('-');
  const isDirective = directive.test(name.name) && isMixed(text.slice(from, ends.bare(from, 'word')));
  const isInstruction =
    !isOption && (isDirective || instruction.test(text.slice(Math.max(0, name.start - 80), name.start)));
  if (isOption || isInstruction) {
    const value = text.charAt(from);
    if (value === '=' || (/[-:&|;<>]/.test(value) && !isOpaque(text.slice(from, from + 40)))) return [];
    if (/["'`]/.test(value)) return quotedSecret(ends, name, from + 1, ends.quoted(value, from + 1));
    if (isInstruction) {
      return isSentence(text, from) ? [] : bareSecret(ends, name, from, ends.bare(from, 'word'), 'close');
    }
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

/** How far an element is looked at before and after an attribute, in characters. */
const maxAttributes = 300;

const inputBefore = /<\w{0,24}input\s[^<>]*(?:type|name|id)=["']?$/i;
const isUnseen = /\stype=["']?(?:password|hidden)\b/i;
const valueOf = /\s(?:value|defaultValue)=(?:(["'])(?<quoted>[^"'<>]*)\1|(?<bare>[^\s"'<>{}]+))/di;

/** `<input type="password" value="…">`, in any order. */
function inputValue(ends: ValueEnds, name: NameInText): readonly Span[] | undefined {
  const { text } = ends;
  const from = Math.max(0, name.start - maxAttributes);
  const before = inputBefore.exec(text.slice(from, name.start));
  if (before === null) return undefined;
  const start = from + before.index;
  const [element = ''] = /^[^>]*/.exec(text.slice(start, name.end + maxAttributes)) ?? [];
  const { quoted, bare } = valueOf.exec(element)?.indices?.groups ?? {};
  const [valueStart, valueEnd] = quoted ?? bare ?? [0, 0];
  return isUnseen.test(element) ? quotedSecret(ends, name, start + valueStart, start + valueEnd) : [];
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
