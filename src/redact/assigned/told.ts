import type { ValueEnds } from '../ends';
import type { NameInText } from '../names';
import { shapeAt } from '../shapes/shapes';
import type { Span } from '../span';
import { marker, maskedEnd } from '../span';
import { isCode, isMixed, isPath, isPlaceholder, isScrambled, isToken, isVersion } from '../values';

const word = String.raw`[\p{L}'’,_-]{1,16}`;
/** A bracket and a quote that the value may be in. */
const wrapped = String.raw`(?<bracket>[([{<])?(?<quote>["'\x60“„‘‚«]|\*\*)?(?:(?<=«)[ \u00a0\u202f])?`;

/** What stands between a name and its value in a sentence: a few words, and what says that the value comes. */
const said = new RegExp(
  String.raw`,?(?<words>(?: \(?${word}\)?){0,6}?)(?: ?[:=]| (?:→|[-=]>)| (?:is|was|ist|war|lautet|est|es|[èé])(?: now)?:?) ${wrapped}(?=\S{8})`,
  'uy',
);

/** Nothing does: `auth code X was accepted`, `the secret "X"`, `the key for the shop (X)`. */
const straight = new RegExp(
  String.raw`(?:,? (?:[-–—] )?|(?=\()|(?<words>(?: ${word}){1,5}?) (?=[([{<"'\x60“„‘‚«]))${wrapped}(?=\S{8})`,
  'uy',
);

/** Words that say what a secret is for. */
export const purposes = 'for|to|of|from|on|in|at|here|below|für|von|zu[mr]?|im|del?|della|di|do|da|du|pour|para|per';

const purpose = new RegExp(String.raw`^(?: \(?(?:${purposes})\)?(?: |$)|$)`, 'i');

/** The last of the words, if what they tell is no secret but the id of something. */
const idOf =
  /(?:^|[ (])(?:account|build|checksum|client|commit|container|customer|digest|etag|file|fingerprint|hash|ids?|image|job|message|model|name|path|request|run|session|sha|span|tenant|thread|trace|url|user|version)(?:[-_]?ids?)?\)?$/i;

/** Names of algorithms, which a password may be said to be made with. */
const algorithm = /^(?:aes|argon|base|bcrypt|hs|md|oauth|pbkdf|rsa|scrypt|sha|utf)[-_]?\d/i;

/** The secret that a sentence tells: `the token for shop: …`, `the password is …`, `auth code … was accepted`. */
export function toldSecret(ends: ValueEnds, name: NameInText): Span | undefined {
  if (/^(?:authorization|cookie|mnemonic)$/.test(name.kind) || name.name.startsWith('-')) return undefined;
  const { text } = ends;
  const told = match(said, text, name.end);
  const found = told ?? match(straight, text, name.end);
  if (found === undefined) return undefined;
  const { from, words } = found;
  const end = valueEnd(ends, found);
  const value = text.slice(from, end);
  if (isPlaceholder(value) || isVersion(value) || isId(value) || maskedEnd(text, from) > 0) return undefined;
  const isPassword = name.kind === 'password';
  const isSecret =
    told === undefined
      ? isStraightToken(value, words) || (isPassword && words === '' && isWrappedPassword(value, found))
      : isToldToken(value, words) || (isPassword && purpose.test(words) && isToldPassword(text, from, value));
  return isSecret ? { start: from, end, text: shapeAt(text, from)?.text ?? marker } : undefined;
}

interface Place {
  readonly from: number;
  readonly words: string;
  readonly bracket: string;
  readonly quote: string;
}

function match(expression: RegExp, text: string, at: number): Place | undefined {
  expression.lastIndex = at;
  const groups = expression.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { words = '', bracket = '', quote = '' } = groups;
  return { from: expression.lastIndex, words, bracket, quote };
}

function valueEnd(ends: ValueEnds, { from, bracket, quote }: Place): number {
  if (/["'`]/.test(quote)) return ends.quoted(quote, from);
  const end = ends.bare(from, 'text');
  const length = ends.text
    .slice(from, end)
    .search(bracket === '' ? /[\u00a0\u202f“”‘’«»]|\*\*$/ : /[\u00a0\u202f“”‘’«»)\]}>]|\*\*$/);
  return length < 0 ? end : from + length;
}

/** Capitals, small letters and digits all over it. */
function isStraightToken(value: string, words: string): boolean {
  return (
    isToken(value) &&
    purpose.test(words) &&
    !idOf.test(words) &&
    /[A-Z]/.test(value) &&
    /[a-z]/.test(value) &&
    /\d\D+\d/.test(value) &&
    !isCode(value)
  );
}

function isToldToken(value: string, words: string): boolean {
  if (!isToken(value) || /^(?:[a-z]{3,}[\w-]*\/|sha\d)/.test(value)) return false;
  return !idOf.test(words) || purpose.test(words);
}

/** Hashes, ids, times, files and addresses are told more often than what a secret is. */
function isId(value: string): boolean {
  return (
    /^(?:[\da-f-]{20,}|(?:call|chatcmpl|msg|req|toolu)[_-]\w+|\d{4}-\d\d-.*|[a-z]+:\/\/.*|[\w./~-]*\.[a-z]{1,5})$/i.test(
      value,
    ) || isPath(value)
  );
}

/** In quotes a word with a digit in it is one, in brackets it may as well say something about the password. */
function isWrappedPassword(value: string, { bracket, quote }: Place): boolean {
  if (bracket + quote === '' || algorithm.test(value) || isCode(value)) return false;
  return isScrambled(value) || (quote !== '' && isMixed(value));
}

/** A word with a digit in it is one only at the end of what is said: "the password is base64 encoded". */
function isToldPassword(text: string, from: number, value: string): boolean {
  if (algorithm.test(value) || isCode(value)) return false;
  const after = text.slice(from + value.length, from + value.length + 4);
  return isScrambled(value) || (isMixed(value) && /^["'`“”‘’»«*]{0,2}(?:[.,;!)](?:\s|$)|[\r\n\\]|$)/.test(after));
}
