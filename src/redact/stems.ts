import type { Fragment } from '../kernel/fragment';
import { maxFragment } from '../kernel/fragment';

/** A piece that names of secrets have in them. */
interface Stem {
  /** Its spellings in small letters. */
  readonly words: string;
  /** What has to be around its end in a text, as an expression. */
  readonly where?: string;
  /** Whether names in German, French, Spanish, Italian and Portuguese have it. */
  readonly isForeign?: true;
}

/** What follows a name that is a secret's only if its value looks like a token. */
const longValue = String.raw`(?=\\{0,8}["']?\s?(?:[:=]|%3D)\s?\\{0,8}["']?[\w/.~%+-]{16})`;

const noLetter = '(?![a-zA-Z])';
const noPlural = String.raw`(?![sS]|_?[cC]ount)`;

/** The ends of words before `code` that make it a grant, and of those that make it one that is used once, at a login. */
export const grantWords = ['uth', 'ion', 'ice'];
export const codeWords = ['ity', 'gin', 'time', '2fa', 'mfa', 'sms', 'otp', 'ery', 'kup', 'ess', 'ngs', 'its', 'mal'];

const verifier = '(?=[ _-]?(?:[vV]erifier|VERIFIER))';

/** Every name in `names.ts` and `foreignNames.ts` has one of these in it: no other is found in a text. */
const stems: readonly Stem[] = [
  { words: 'key' },
  // Other codes are those of errors, countries and programs: one alone needs a value that is long enough.
  {
    words: 'code',
    where: String.raw`(?:${longValue}(?<![A-Za-z_-].{4})|${verifier}|(?<=(?:${[...grantWords, ...codeWords].map(inAnyCase).join('|')})[ _-]?.{4}))`,
  },
  { words: 'pkce', where: verifier },
  { words: 'access', where: longValue },
  { words: 'token', where: `${noPlural}(?<!progress[tT]oken)` },
  { words: 'cookie' },
  { words: 'pass', where: String.raw`(?!(?:ed|ing)\b)`, isForeign: true },
  { words: 'pwd' },
  { words: 'pw', where: noLetter },
  { words: 'phrase' },
  { words: 'secret secrèt segret', isForeign: true },
  { words: 'cred', where: '(?!i)' },
  { words: 'mnemonic', where: '(?![a-z])' },
  { words: 'auth', where: String.raw`(?:(?<=th)(?![\w-])|(?<=TH)(?!OR(?!I)|EN))` },
  { words: 'authoriz' },
  { words: 'pat', where: `(?<=[a-z]Pat|[_-]pat|_PAT)${noLetter}` },
  { words: 'psk jwt', where: noLetter },
  // With a capital it is found as a header is (`trigger.ts`).
  { words: 'bearer', where: `(?<=[_-]bearer)${noLetter}` },
  { words: 'webhook', where: '(?=[-_]?[uU])' },
  { words: 'kennwort contrasena contraseña senha geheim schlüssel schluessel schlussel', isForeign: true },
  { words: 'acces accès acceso accesso acesso', where: noLetter, isForeign: true },
  { words: 'cle clé clef', where: String.raw`[ _-]?(?:[aA][pP][iI]|[pP][rR][iI][vV][éÉ\w]{2,3})`, isForeign: true },
  { words: 'clave chave chiave', where: String.raw`(?:[ _-](?:d[aei] )?\w{3,10})?`, isForeign: true },
];

export const stemSpellings: readonly string[] = stems.flatMap(({ words }) => words.split(' '));

/** What is in bytes wherever a stem is, and what comes after it then. */
export const stemFragments: readonly Fragment[] = stems.flatMap(({ words, where = '' }) =>
  words.split(' ').map((word) => ({
    text: ending(word),
    anyCase: true,
    then: where.includes(longValue) ? 'long' : 'value',
    ...(where.includes(noLetter) && { unless: 'letter' }),
    ...(where.startsWith(noPlural) && { unless: 'plural' }),
  })),
);

/** As much of a word as the kernel compares. What comes after it counts. */
function ending(word: string): string {
  return Buffer.byteLength(word) > maxFragment ? ending(word.slice(1)) : word;
}

/**
 * The letters that the search may look for, the commonest first (`trigger.ts`). A stem is looked for by its rarest. One without any of
 * them in small letters is then found only after `_` and `-`.
 */
const anchors = Array.from('pchkvCAPBGK');

const anyStem = stems.map(pattern).join('|');
const anyForeignStem = stems
  .filter(({ isForeign }) => isForeign)
  .map(pattern)
  .join('|');

/** Finds a stem in a name; characters that aren't ASCII may be those of others. */
export const stem = new RegExp(`${anyStem}|[^\\0-\\x7f]`, 'i');

/** The same for names in other languages. */
export const foreignStem = new RegExp(`${anyForeignStem}|[\\u015e\\u015f\\u0400-\\u04ff\\u2e80-\\uffff]`, 'i');

/** For each letter that the search looks for: what comes after it in a stem, and what has to be around that, as an expression. */
export const stemsByAnchor: ReadonlyMap<string, string> = byAnchor();

function pattern({ words }: Stem): string {
  return words.replaceAll(' ', '|');
}

function byAnchor(): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { words, where = '' } of stems) {
    for (const word of words.split(' ')) {
      for (const anchor of anchorsOf(word)) {
        const at = word.indexOf(anchor.toLowerCase());
        const before = at > 0 ? `(?<=${inAnyCase(word.slice(0, at))}.{${word.length - at}})` : '';
        const pieces = found.get(anchor) ?? new Set();
        const rest = inAnyCase(word.slice(at + 1));
        // Looking back costs more.
        found.set(anchor, pieces.add(rest === '' ? where + before : rest + before + where));
      }
    }
  }
  return new Map(Array.from(found, ([anchor, pieces]) => [anchor, tree([...pieces])]));
}

/** One expression for several, in which a letter that some begin with is once. */
function tree(pieces: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const piece of pieces) {
    const [letter = ''] = /^\[..\]/.exec(piece) ?? [];
    groups.set(letter, [...(groups.get(letter) ?? []), piece.slice(letter.length)]);
  }
  return Array.from(groups, ([letter, rest]) => (letter === '' ? rest.join('|') : `${letter}(?:${tree(rest)})`)).join(
    '|',
  );
}

/** Those of a word in small letters, with a capital and in capitals. */
function anchorsOf(word: string): readonly string[] {
  const small = rarest(word);
  const capitalized = rarest(word.slice(1)) ?? rarest(word.slice(0, 1).toUpperCase());
  const found = [small, capitalized, rarest(word.toUpperCase())].filter((anchor) => anchor !== undefined);
  return small === undefined ? ['_', '-', ...found] : found;
}

function rarest(text: string): string | undefined {
  return anchors.findLast((anchor) => text.includes(anchor));
}

function inAnyCase(text: string): string {
  return Array.from(text, (letter) => `[${letter}${letter.toUpperCase()}]`).join('');
}
