import type { ValueEnds } from '../ends';
import type { NameInText } from '../names';
import { shapeAt } from '../shapes/shapes';
import type { Span } from '../span';
import { marker, maskedEnd } from '../span';
import {
  isCode,
  isMixed,
  isOnceCode,
  isPath,
  isPlaceholder,
  isScrambled,
  isShortToken,
  isToken,
  isVersion,
} from '../values';

const word = String.raw`(?:[\p{L}'’,_-]{1,16}|\d{1,4}|[\w-]{1,16}@[\w.-]{1,32})`;
/** `e.g.` and the like in other languages, with the space after it. */
export const example = String.raw`(?:(?:e\.? ?g|i\.? ?e|z\. ?B|d\. ?h|p\. ?ex|p\. ?ej|ex)\.?|(?:for|par|por|zum|per) [A-Za-z]{5,8}|such as),? `;
/** A bracket and a quote that the value may be in. */
const wrapped = String.raw`(?<bracket>[([{<])?(?:${example})?(?<quote>["'\x60“„‘‚«]|\*{1,2})?(?:(?<=«)[ \u00a0\u202f])?`;
/** The value stands in a line of its own, perhaps in a block of code. */
const below = String.raw`[ \t]{0,8}\r?\n(?:[ \t]{0,8}\r?\n)?(?:\x60{3}\w{0,12}\r?\n)?[ \t]{0,8}`;

/** What stands between a name and its value in a sentence: a few words, and what says that the value comes. */
const said = new RegExp(
  String.raw`,?(?<words>(?: \(?${word}\)?){0,6}?)(?: ?[:=]| (?:→|[-=]>)| (?:is|was|are|ist|war|sind|lautet|est|es|[èé])(?! (?:generated|created|set|changed|updated|reset) )(?: now)?:?)(?: |(?<=:)(?<below>${below}))(?:(?<=(?:are|sind) |entials: )[\w@.-]{1,32} / )?${wrapped}(?=\S{8})`,
  'uy',
);

/** What happened to it: `the password was changed to X`. */
export const changed = ' (?:(?:is|was|has been|wurde) )?(?:changed|set|reset|updated|rotated)(?= to)';

/** Nothing does: `auth code X was accepted`, `the secret "X"`, `the key for the shop (X)`. */
const straight = new RegExp(
  String.raw`(?:\*{0,2},?(?:${changed})?(?: (?:to|from|auf|von|à|a|de))?[ \t]{1,40}(?:[-–—] )?|(?=\()|(?<words>(?: ${word}){1,5}?) (?=[([{<"'\x60“„‘‚«]))${wrapped}(?=\S{8})`,
  'uy',
);

/** Words that say what a secret is for. */
export const purposes = 'for|to|of|from|on|in|at|here|below|für|von|zu[mr]?|im|del?|della|di|do|da|du|pour|para|per';

const purpose = new RegExp(
  String.raw`^(?: (?:is|was|has been))?(?: (?:generated|created|set|changed|updated|reset))?(?: \(?(?:${purposes})\)?(?: |$)|$)`,
  'i',
);

/** The last of the words, if what they tell is no secret but the id of something. */
const idOf =
  /(?:^|[ (])(?:account|build|checksum|client|commit|container|customer|digest|etag|file|fingerprint|hash|ids?|image|job|message|model|name|path|request|run|session|sha|span|tenant|thread|trace|url|user|version)(?:[-_]?ids?)?\)?$/i;

/** Two names or more to choose from, none of which is a secret: `RS256/ES256`. */
const choice = /^[A-Za-z]{1,12}[-_]?\d{0,4}[A-Za-z]?\d?(?:[/|+,][A-Za-z]{0,12}[-_]?\d{0,4}[A-Za-z]?\d?)+$/;

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
  const isPassword = name.kind === 'password' || /cred/i.test(name.name);
  if (isPlaceholder(value) || isVersion(value) || maskedEnd(text, from) > 0) return undefined;
  if (isId(value) && !(isPassword && found.isBelow && /^[\da-f]{32}$/.test(value))) return undefined;
  const isSecret =
    told === undefined
      ? isStraightToken(value, words, name.kind === 'plain token' ? before(text, name) : '') ||
        (isPassword && words === '' && isStraightPassword(value, found))
      : isToldToken(value, words) ||
        (isPassword && purpose.test(words) && (found.isBelow || isToldPassword(text, from, value)));
  return isSecret ? { start: from, end, text: shapeAt(text, from)?.text ?? marker } : undefined;
}

const once =
  /["'`]?(?: (?:is|ist|lautet|are))?(?: ?[:=]| (?:is|ist|lautet|are)|(?= ))[ ]{0,2}["'`*([]{0,3}(?<code>\d{3} \d{3}|[A-Za-z\d]{3,10}(?:-[A-Za-z\d]{3,5}){0,3})(?![\w@/:=-]|\.\w)/dy;

/** The code that was sent for a login: `Your verification code is …`. */
export function onceCode(ends: ValueEnds, name: Pick<NameInText, 'start' | 'end'>): Span | undefined {
  once.lastIndex = name.end;
  const [start, end] = once.exec(ends.text)?.indices?.groups?.['code'] ?? [0, 0];
  const value = ends.text.slice(start, end);
  // What the person has to copy into a browser is shown: `your one-time code: WDJB-MJHT`.
  const isUsers = /time[ _-]?$/i.test(ends.text.slice(Math.max(0, name.start - 8), name.start)) && value.includes('-');
  return isOnceCode(value) && !isUsers ? { start, end, text: marker } : undefined;
}

const owner = /(?:^|[\s("'`*:])(?<value>[^\s"'`*]{6,200})["'`*)]{0,3} is (?:my|the) (?:[\w-]{1,16} ){0,2}$/d;
/** The name of something else. */
const isOther = /^(?:[\w-]| (?:field|manager|policy|type|name|id|length|count)\b)/;

/** The secret before what it is said to be: `X is my API key`. */
export function ownedSecret({ text }: ValueEnds, name: NameInText): Span | undefined {
  if (isOther.test(text.slice(name.end, name.end + 9))) return undefined;
  const from = Math.max(0, name.start - 280);
  const [first, last] = owner.exec(text.slice(from, name.start))?.indices?.groups?.['value'] ?? [0, 0];
  const [start, end] = [from + first, from + last];
  const value = text.slice(start, end);
  if (isPlaceholder(value) || isId(value) || isCode(value) || maskedEnd(text, start) > 0) return undefined;
  const isSecret =
    name.kind === 'code'
      ? isOnceCode(value)
      : isToken(value) || isShortToken(value) || (name.kind === 'password' && isScrambled(value));
  return isSecret ? { start, end, text: shapeAt(text, start)?.text ?? marker } : undefined;
}

interface Place {
  readonly from: number;
  readonly words: string;
  readonly bracket: string;
  readonly quote: string;
  /** Whether it is in the next line. */
  readonly isBelow: boolean;
}

function match(expression: RegExp, text: string, at: number): Place | undefined {
  expression.lastIndex = at;
  const groups = expression.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { words = '', bracket = '', quote = '', below } = groups;
  return { from: expression.lastIndex, words, bracket, quote, isBelow: below !== undefined };
}

function valueEnd(ends: ValueEnds, { from, bracket, quote }: Place): number {
  if (/["'`]/.test(quote)) return ends.quoted(quote, from);
  const end = ends.bare(from, 'text');
  const length = ends.text
    .slice(from, end)
    .search(bracket === '' ? /[\u00a0\u202f“”‘’«»]|\*{1,2}$/ : /[\u00a0\u202f“”‘’«»)\]}>]|\*{1,2}$/);
  return length < 0 ? end : from + length;
}

/** A parser's token is what comes after `unexpected`. */
function before(text: string, { start }: NameInText): string {
  return text.slice(Math.max(0, start - 12), start);
}

/** Capitals, small letters and digits all over it. */
function isStraightToken(value: string, words: string, before: string): boolean {
  return (
    (isToken(value) || (isShortToken(value) && words === '' && !/expected $/i.test(before))) &&
    !choice.test(value) &&
    purpose.test(words) &&
    !idOf.test(words) &&
    /[A-Z]/.test(value) &&
    /[a-z]/.test(value) &&
    /\d\D+\d/.test(value) &&
    !isCode(value)
  );
}

function isToldToken(value: string, words: string): boolean {
  if (!isToken(value) || choice.test(value) || /^(?:[a-z]{3,}[\w-]*\/|sha\d)/.test(value)) return false;
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

/** In quotes a word with a digit in it is one, elsewhere it may as well say something about the password. */
function isStraightPassword(value: string, { quote }: Place): boolean {
  if (algorithm.test(value) || choice.test(value) || isCode(value)) return false;
  return isScrambled(value) || (quote !== '' && isMixed(value));
}

/** A word with a digit in it is one only at the end of what is said: "the password is base64 encoded". */
function isToldPassword(text: string, from: number, value: string): boolean {
  if (algorithm.test(value) || isCode(value)) return false;
  const after = text.slice(from + value.length, from + value.length + 4);
  return isScrambled(value) || (isMixed(value) && /^["'`“”‘’»«*]{0,2}(?:[.,;!)](?:\s|$)|[\r\n\\]|$)/.test(after));
}
