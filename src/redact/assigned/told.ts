import type { ValueEnds } from '../ends';
import type { NameInText } from '../names';
import { shapeAt } from '../shapes/shapes';
import type { Span } from '../span';
import { marker, maskedEnd } from '../span';
import { isCode, isMixed, isPath, isPlaceholder, isScrambled, isToken, isVersion } from '../values';

/** What stands between a name and its value in a sentence: a few words, and what says that the value comes. */
const said =
  /,?(?<words>(?: \(?[\p{L}'’,_-]{1,16}\)?){0,6}?)(?: ?[:=]| (?:→|[-=]>)| (?:is|was|ist|war|lautet|est|es|[èé])(?: now)?:?) \(?(?<quote>["'`“]|\*\*)?(?=\S{8})/uy;

/** Nothing does: `auth code X was accepted`, `the secret "X"`. */
const straight = / (?<quote>["'`“])?(?=\S{20})/y;

/** Words that say what a secret is for. */
export const purposes = 'for|to|of|from|on|in|at|here|below|für|von|zu[mr]?|im|del?|della|di|do|da|du|pour|para|per';

const purpose = new RegExp(String.raw`^(?: \(?(?:${purposes})\)?(?: |$)|$)`, 'i');

/** The last of the words, if what they tell is no secret but the id of something. */
const idOf =
  /(?:^|[ (])(?:account|build|checksum|client|commit|container|customer|digest|etag|file|fingerprint|hash|ids?|image|job|message|model|name|path|request|run|session|sha|span|tenant|thread|trace|url|user|version)\)?$/i;

/** Names of algorithms, which a password may be said to be made with. */
const algorithm = /^(?:aes|argon|base|bcrypt|hs|md|pbkdf|rsa|scrypt|sha|utf)[-_]?\d/i;

/** The secret that a sentence tells: `the token for shop: …`, `the password is …`, `auth code … was accepted`. */
export function toldSecret(ends: ValueEnds, name: NameInText): Span | undefined {
  if (/^(?:authorization|cookie|mnemonic)$/.test(name.kind) || name.name.startsWith('-')) return undefined;
  const { text } = ends;
  const told = match(said, text, name.end);
  const found = told ?? match(straight, text, name.end);
  if (found === undefined) return undefined;
  const { from, words, quote } = found;
  const end = quote === '' || quote === '**' ? ends.bare(from, 'text') : ends.quoted(quote === '“' ? '”' : quote, from);
  const value = text.slice(from, end).replace(/\*\*$/, '');
  if (isPlaceholder(value) || isVersion(value) || isId(value) || maskedEnd(text, from) > 0) return undefined;
  const isSecret =
    told === undefined
      ? isToken(value) && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d\D+\d/.test(value) && !isCode(value)
      : isToldToken(value, words) ||
        (name.kind === 'password' && purpose.test(words) && isToldPassword(text, from, value));
  return isSecret ? { start: from, end: from + value.length, text: shapeAt(text, from)?.text ?? marker } : undefined;
}

interface Place {
  readonly from: number;
  readonly words: string;
  readonly quote: string;
}

function match(expression: RegExp, text: string, at: number): Place | undefined {
  expression.lastIndex = at;
  const groups = expression.exec(text)?.groups;
  if (groups === undefined) return undefined;
  return { from: expression.lastIndex, words: groups['words'] ?? '', quote: groups['quote'] ?? '' };
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

/** A word with a digit in it is one only at the end of what is said: "the password is base64 encoded". */
function isToldPassword(text: string, from: number, value: string): boolean {
  if (algorithm.test(value) || isCode(value)) return false;
  const after = text.slice(from + value.length, from + value.length + 4);
  return isScrambled(value) || (isMixed(value) && /^["'`”*]{0,2}(?:[.,;!)](?:\s|$)|[\r\n\\]|$)/.test(after));
}
