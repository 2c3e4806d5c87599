import { facts } from './facts';
import { ofShape } from './shape';
import type { Random } from './random';
import { base62, digits, hexDigits, lowerCase } from './random';

/** Kinds of secret, as the columns of the table. */
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

/** Made by a machine, and what keys and tokens are like. */
export const tokenKinds: readonly Kind[] = ['vendor shape', 'alnum', 'hex', 'base64'];

/** Symbols that stand in all the strings that the carriers write, without an escape. */
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

/** With a capital, a small letter and a digit, as nearly all random ones of that length have. */
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

/** A word of no language, so that it stands nowhere else in the output. */
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
