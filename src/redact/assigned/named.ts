import type { ValueEnds } from '../ends';
import { credentials, isUserAndPassword } from '../places';
import type { SecretKind } from '../names';
import { secretKind } from '../names';
import { shapeAt } from '../shapes/shapes';
import type { Span } from '../span';
import { marker, maskedEnd, present } from '../span';
import {
  isBrokenToken,
  isCode,
  isMixed,
  isNumber,
  isOpaque,
  isOrdinarySetting,
  isPassphrase,
  isPath,
  isPlaceholder,
  isProse,
  isScrambled,
  isToken,
  isUnpronounceable,
  isVersion,
} from '../values';

/** A name of a secret, and what it says about its value. */
export interface Name {
  readonly name: string;
  readonly kind: SecretKind;
}

/** How a value without quotes stands by its name: `a=b`, or looser (`a: b`, `a = b`, `--a b`), where it may as well be a sentence. */
export type Bond = 'close' | 'loose';

/** The secret between quotes: all of it, unless it says nothing. */
export function quotedSecret(ends: ValueEnds, { name, kind }: Name, start: number, end: number): readonly Span[] {
  const { text } = ends;
  const value = text.slice(start, end);
  if (isPlaceholder(value) || isLabel(name, kind, value) || maskedEnd(text, start) === end) return [];
  if (kind === 'authorization') return present(credentials(ends, start, end));
  if (kind === 'mnemonic') return isMnemonic(value) ? [secret(text, start, end)] : [];
  if (kind === 'password' || kind === 'secret' ? isProse(value) : kind !== 'cookie' && ends.hasWhite(start, end)) {
    // A token or key with spaces is a sentence about it.
    return [];
  }
  return isNoSecret(name, kind, value) ? [] : [secret(text, start, end)];
}

/** What a form shows for a field: `"passwort": "Passwort"`, `"newPassword": "Your new password:"`. */
function isLabel(name: string, kind: SecretKind, value: string): boolean {
  if (value.length > 60 || !/^\p{Lu}[\p{L} '’-]*[?!.:…*]{0,3}$/u.test(value)) return false;
  const words = value.split(/[^\p{L}]+/u).filter((word) => word !== '');
  if (words.length === 1) return name.toLowerCase().endsWith(value.toLowerCase());
  return words.some((_, index) => secretKind(words.slice(0, index + 1).join('_')) === kind);
}

function isNoSecret(name: string, kind: SecretKind, value: string): boolean {
  switch (kind) {
    case 'code':
    case 'perhaps key':
    case 'perhaps token':
      return !isLikely(kind, value);
    case 'password':
      return isNameInCapitals(value) || (/^(?:old)?pwd$/i.test(name) && isPath(value)) || isMode(name, value);
    case 'secret':
      return isNameInCapitals(value) || isVersion(value) || isPlainPath(value);
    case 'plain token':
      if (isPlainWord(value)) return true;
      break;
    case 'key':
      if (value.length < 3 || (nameOfPlace.test(name) && isOrdinarySetting(value))) return true;
      break;
    case 'cookie':
      if (/^[a-z]+:\/\//.test(value)) return true;
      break;
    case 'token':
      if (isTriggerWord(value)) return true;
      break;
    case 'authorization':
    case 'mnemonic':
      break;
  }
  return isVersion(value) || isNameOfSecret(value) || isShortNumber(value) || isPlainPath(value);
}

/**
 * The secret without quotes.
 * @param isWhole whether the value surely ends there, whatever it begins with
 */
export function bareSecret(
  ends: ValueEnds,
  { name, kind }: Name,
  start: number,
  end: number,
  bond: Bond,
  isWhole = false,
): readonly Span[] {
  const { text } = ends;
  const value = text.slice(start, end);
  if (isPlaceholder(value) || value.length < 2) return [];
  if (kind === 'code') return isLikely(kind, value) ? [secret(text, start, end)] : [];
  if (kind !== 'cookie' && isPlainPath(value)) return [];
  if (isNumber(value) && (kind !== 'password' || value.length < (bond === 'loose' ? 6 : 4))) return [];
  const isVariable = /^[A-Z][A-Z0-9_]*$/.test(name);
  if (kind === 'plain token' && !isVariable && isPlainWord(value)) return [];
  if (kind === 'token' && isTriggerWord(value)) return [];
  if (isNameOfSecret(value) || (kind !== 'password' && isVersion(value))) return [];
  if ((!isVariable || bond === 'loose') && isCode(value)) return [];
  if ((kind !== 'password' && isShortNumber(value)) || isMode(name, value)) return [];
  const isCertain = bond === 'close' && !kind.startsWith('perhaps') && !/^[[{(]/.test(value.slice(0, isWhole ? 0 : 1));
  return isCertain || isNumber(value) || isLikely(kind, value) ? [secret(text, start, end)] : [];
}

/** The way a program authenticates, not a credential: `REQUIRE_AUTH=basic`. */
function isMode(name: string, value: string): boolean {
  return /auth$/i.test(name) && /^[a-z]{1,12}\d?$/i.test(value);
}

/** Whether a value looks like a secret, where its name alone does not say that it is one. */
export function isLikely(kind: SecretKind, value: string): boolean {
  if (kind === 'code') return isToken(value) || /^\d{4,8}$/.test(value);
  if (kind === 'perhaps token') return isToken(value);
  if (isOpaque(value) || isBrokenToken(value) || isScrambled(value) || isUnpronounceable(value)) return true;
  return kind === 'password'
    ? isMixed(value) || /^\d{6,}$/.test(value) || isPassphrase(value)
    : kind === 'perhaps key' && isUserAndPassword(value);
}

/** A word as a parser or a language model has it, with its space before and punctuation after. */
function isPlainWord(value: string): boolean {
  return /^[^A-Za-z0-9]{0,2}[A-Za-z]?[a-z]{0,24}[^A-Za-z0-9]{0,2}$/.test(value);
}

/** A short word that stands for something in a prompt: `IDENTITY_TOKEN=ohwx`, `sks_person`. */
function isTriggerWord(value: string): boolean {
  return /^[a-z]{1,8}(?:[_ -][a-z]{1,8})?$/.test(value);
}

/** Of something that is stored, and of the key that a program has for it: `"storageKey":"user-preferences"`. */
const nameOfPlace = /(?:storage|client|service|role)[_-]?keys?$/i;

/** The name of a secret in place of the secret: `password=password`, `"apiKey":"OPENAI_API_KEY"`. */
export function isNameOfSecret(value: string): boolean {
  return /^[A-Za-z_-]{3,40}$/.test(value) && secretKind(value) !== undefined;
}

function isNameInCapitals(value: string): boolean {
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) && isNameOfSecret(value);
}

function isPlainPath(value: string): boolean {
  return isPath(value) && !isOpaque(value);
}

function isShortNumber(value: string): boolean {
  return /^\d{1,5}$/.test(value);
}

/** BIP 39: twelve words or more. */
export const mnemonic = /(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}/y;

function isMnemonic(value: string): boolean {
  mnemonic.lastIndex = 0;
  return mnemonic.test(value) || isPassphrase(value) || isLikely('secret', value);
}

function secret(text: string, start: number, end: number): Span {
  return { start, end, text: shapeAt(text, start)?.text ?? marker };
}
