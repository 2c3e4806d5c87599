import { cookies, credentials } from './headers';
import { marker, masked, maskedEnd } from './marker';
import type { SecretKind } from './names';
import { secretKind } from './names';
import {
  isBrokenToken,
  isCode,
  isMixed,
  isNumber,
  isOpaque,
  isOrdinarySetting,
  isPath,
  isPlaceholder,
  isProse,
  isVersion,
} from './ordinary';
import type { Quote } from './rawText';
import { shapeAt } from './shapes';
import type { Span } from './span';
import { present } from './span';
import type { ValueEnds } from './valueEnds';

/** A name of a secret, and the line that it is in. */
export interface Named {
  readonly text: string;
  readonly ends: ValueEnds;
  readonly name: string;
  readonly start: number;
  readonly kind: SecretKind;
  /** The quote that closes the name, where it is quoted. */
  readonly quote: Quote | undefined;
}

/** How a value without quotes stands by its name: `a=b`, or looser (`a: b`, `a = b`, `--a b`), where it may as well be a sentence. */
export type Bond = 'close' | 'loose';

/** The secret between quotes: all of it, unless it says nothing. */
export function quoted(
  { text, ends, kind, name, start: nameStart }: Named,
  start: number,
  end: number,
): readonly Span[] {
  const value = text.slice(start, end);
  if (isPlaceholder(value) || maskedEnd(text, start) === end) return [];
  if (kind === 'authorization') return present(credentials(ends, start, end));
  if (kind === 'password' || kind === 'secret' ? isProse(value) : kind !== 'cookie' && ends.hasWhite(start, end)) {
    // A token or key with spaces is a sentence about it.
    return [];
  }
  if (kind === 'perhaps key' && !isLikely(kind, value)) return [];
  if (kind === 'plain token' && (isPlainWord(value) || isOfText(text, nameStart, end))) return [];
  if (kind === 'key' && (value.length < 3 || (nameOfPlace.test(name) && isOrdinarySetting(value)))) return [];
  if (kind !== 'password' && isVersion(value)) return [];
  if (kind !== 'password' && kind !== 'secret' && (isNameOfSecret(value) || isShortNumber(value))) return [];
  if (kind !== 'password' && isPath(value) && !isOpaque(value)) return [];
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) && isNameOfSecret(value)) return [];
  if (/^(?:old)?pwd$/i.test(name) && isPath(value)) return [];
  return [secret(text, start, end)];
}

/** The secret without quotes: up to where a blank or a bracket ends it. */
export function bare(named: Named, from: number, bond: Bond): readonly Span[] {
  const { text, ends, kind, name, start, quote } = named;
  if (maskedEnd(text, from) > 0) return [];
  if (kind === 'authorization' && text.charAt(from) !== '') return present(credentials(ends, from));
  if (kind === 'cookie' && bond === 'loose' && quote === undefined) return present(cookies(ends, from));
  const inUrl = isInQuery(text, start);
  // The user and the password of a URL have rules of their own.
  if (text.startsWith('://', from - 1) || text.startsWith('//', start - 2)) return [];
  const end = ends.bare(from, inUrl);
  const value = text.slice(from, end);
  if (isPlaceholder(value) || /^[[{(]/.test(value) || (kind !== 'cookie' && isPath(value) && !isOpaque(value))) {
    return [];
  }
  if (isNumber(value) && (kind !== 'password' || bond === 'loose' || value.length < 4)) return [];
  const isEnv = /^[A-Z][A-Z0-9_]*$/.test(name);
  if (kind === 'plain token' && !isEnv && isPlainWord(value)) return [];
  if (isNameOfSecret(value) || (kind !== 'password' && isVersion(value))) return [];
  if (!isEnv && isCode(value)) return [];
  if (bond === 'close' && kind !== 'perhaps key') {
    return isShortNumber(value) && kind !== 'password' ? [] : [secret(text, from, end)];
  }
  return isLikely(kind, value) ? [secret(text, from, end)] : [];
}

/** Whether a name stands in the query of a URL, where `&` may have been escaped. */
function isInQuery(text: string, start: number): boolean {
  return /(?:[?&#]|u0026|&amp;)$/.test(text.slice(Math.max(0, start - 5), start));
}

/** A word as a parser or a language model has it, with its space before and punctuation after. */
function isPlainWord(value: string): boolean {
  return /^[^A-Za-z0-9]{0,2}[A-Za-z]?[a-z]{0,24}[^A-Za-z0-9]{0,2}$/.test(value);
}

/** Of something that is stored, and of the key that a program has for it: `"storageKey":"user-preferences"`. */
const nameOfPlace = /(?:storage|client|service|role)[_-]?keys?$/i;

const afterWord = /\\*["'`],\s{0,8}\\*["'`](?:logprob|bytes)\b/y;

/** Whether a token is a part of a text: a parser did not expect it, or a language model says how likely it is. */
function isOfText(text: string, nameStart: number, end: number): boolean {
  afterWord.lastIndex = end;
  return afterWord.test(text) || /(?:unexpected|expected) $/i.test(text.slice(Math.max(0, nameStart - 11), nameStart));
}

/** Whether a value looks like a secret, where its name alone does not say that it is one. */
export function isLikely(kind: SecretKind, value: string): boolean {
  return isOpaque(value) || isBrokenToken(value) || (kind === 'password' && isMixed(value));
}

/** The name of a secret in place of the secret: `password=password`, `"apiKey":"OPENAI_API_KEY"`. */
function isNameOfSecret(value: string): boolean {
  return /^[A-Za-z_-]{3,40}$/.test(value) && secretKind(value) !== undefined;
}

function isShortNumber(value: string): boolean {
  return /^\d{1,5}$/.test(value);
}

function secret(text: string, start: number, end: number): Span {
  const shape = shapeAt(text, start);
  return { start, end, text: shape === undefined ? marker : masked(shape.prefix) };
}
