import { facts } from './facts';
import { ofShape } from './shape';
import type { Random } from './random';
import { base62, digits, hexDigits, lowerCase } from './random';

/** Kinds of secret, which are the columns of the table. */
export const kinds = [
  'vendor shape',
  'alnum',
  'hex',
  'base64',
  'symbols',
  'bracket',
  'digits',
  'passphrase',
  'password',
] as const;
export type Kind = (typeof kinds)[number];

/** Kinds that are machine-generated, like keys and tokens. */
export const tokenKinds: readonly Kind[] = ['vendor shape', 'alnum', 'hex', 'base64'];

/** Symbols that need no escape in any of the carriers' strings. */
const symbols = '!@#$%^&*()-_=+[]{}<>?~:;,.|';

/** A secret that no other case has. */
export function secretOf(kind: Kind, random: Random): string {
  switch (kind) {
    case 'vendor shape':
      return ofShape(random.pick(facts.filter(({ shape }) => !shape.startsWith('https:'))).shape, random);
    case 'alnum':
      return mixed(random, base62, random.int(20, 40));
    case 'hex':
      return random.text(hexDigits, random.pick([32, 40, 64]));
    case 'base64':
      return `${mixed(random, `${base62}+/`, 43)}=`;
    case 'symbols':
      return random.pick(base62) + withSymbol(random, random.int(13, 22)) + random.pick(base62);
    case 'bracket':
      return random.pick('[{<$') + withSymbol(random, random.int(12, 20)) + random.pick(base62);
    case 'digits':
      return random.pick('123456789') + random.text(digits, random.int(8, 13));
    case 'passphrase':
      return Array.from({ length: random.int(4, 6) }, () => pseudoWord(random)).join(random.pick(' -'));
    case 'password':
      return (
        capital(pseudoWord(random)) + random.text(digits, random.int(2, 4)) + random.pick('!?#*') + pseudoWord(random)
      );
  }
}

/** Has at least one uppercase letter, lowercase letter and digit, like almost all random strings of that length. */
function mixed(random: Random, alphabet: string, length: number): string {
  for (;;) {
    const text = random.text(alphabet, length);
    if (/[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text)) return text;
  }
}

function withSymbol(random: Random, length: number): string {
  for (;;) {
    const text = random.text(`${base62}${symbols}`, length);
    if (/[^\w.-]/.test(text) && /\w{3}/.test(text)) return text;
  }
}

/** A made-up word, so that it occurs nowhere else in the output. */
function pseudoWord(random: Random): string {
  const syllables = Array.from(
    { length: random.int(2, 3) },
    () => random.pick(lowerCase.replace(/[aeiou]/g, '')) + random.pick('aeiou'),
  );
  return syllables.join('') + random.pick('nrstkl');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
