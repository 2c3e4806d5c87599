import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { QueryToken, SourceRange, TokenBody } from './queryTokens';
import { queryTokens } from './queryTokens';
import { strayTerm } from './strayTerm';

/** How the values of each key are read, in the order of suggestions. A reader returns `undefined` for a value that its key can't have. */
export type Keys = Readonly<Record<string, (text: string) => unknown>>;
export type KeyOf<K extends Keys> = keyof K & string;

/** What a key asks for, and a term that shows it. */
export interface KeyHelp {
  readonly about: Words;
  readonly example: string;
}

/** The key of sessions, which several languages have. */
export const sessionHelp: KeyHelp = {
  about: t('a session by its title, or none'),
  example: 'session:"Fix*"',
};

/** A filter language. All share their syntax, hints and suggestions. */
export interface Language<K extends Keys> {
  readonly keys: K;
  readonly help: Readonly<Record<KeyOf<K>, KeyHelp>>;
  /** Other names of keys. */
  readonly synonyms?: ReadonlyMap<string, KeyOf<K>>;
  /** Keys whose terms all apply, such as `took:>1s took:<5s`. Terms with the same other key are alternatives. */
  readonly ranges?: ReadonlySet<KeyOf<K>>;
}

/** The values of one key; a row matches if it matches any of them. */
export type ValuesOf<K extends Keys> = {
  [Key in KeyOf<K>]: { readonly key: Key; readonly values: readonly NonNullable<ReturnType<K[Key]>>[] };
}[KeyOf<K>];

/** Part of a text of the row, in any case. */
export interface TextTerm {
  readonly key: 'text';
  readonly text: string;
  readonly isQuoted: boolean;
}

/** A regular expression over the texts of the row. */
export interface RegexTerm {
  readonly key: 'regex';
  readonly source: string;
  readonly ignoresCase: boolean;
}

/** What a row must match, or must not match if it is negated. */
export type TermOf<K extends Keys> = (ValuesOf<K> | TextTerm | RegexTerm) & {
  readonly negated: boolean;
  readonly range: SourceRange;
};

/** A part of a query that probably doesn't mean what the user expects. */
export interface QueryHint {
  /**
   * `unknownKey`, `badValue` and `stray`: the term is searched for as text. `noValue`: it is ignored. `badRegex` and `longRegex`: the
   * expression can't be used, and nothing is found.
   */
  readonly type: 'unknownKey' | 'badValue' | 'stray' | 'noValue' | 'badRegex' | 'longRegex';
  readonly key?: string;
  /** The value that can't be used, what to write instead, or why an expression is invalid. */
  readonly value?: string;
  readonly range: SourceRange;
}

/** A parsed query: a row has to match all terms, but of positive terms with the same key only one, unless they are ranges. */
export interface QueryOf<K extends Keys> {
  readonly terms: readonly TermOf<K>[];
  readonly hints: readonly QueryHint[];
}

/** Maximum length of a regular expression, in UTF-16 units. */
export const maxRegexLength = 200;

/**
 * Parses a query. It never throws: what it can't interpret becomes text, with a hint.
 * @param isStrict whether to have a hint for text that may be meant as something else, such as `not`, too
 */
export function parse<K extends Keys>(text: string, language: Language<K>, isStrict = false): QueryOf<K> {
  const terms: TermOf<K>[] = [];
  const hints: QueryHint[] = [];
  for (const { range, negated, body } of queryTokens(text)) {
    const hint = hintOf(body, range, language) ?? strayHint(body, range, language, isStrict);
    if (hint) hints.push(hint);
    const meaning = meaningOf(body, language);
    if (meaning) terms.push({ ...meaning, negated, range });
  }
  return { terms, hints };
}

/** Why a query can't be used, if it can't. */
export function errorIn({ hints }: { readonly hints: readonly QueryHint[] }): string | undefined {
  const bad = hints.find(({ type }) => type === 'badRegex' || type === 'longRegex');
  return bad && (bad.value ?? 'The expression is too long.');
}

function namesOf<K extends Keys>({ keys, synonyms }: Language<K>): ReadonlySet<string> {
  return new Set([...Object.keys(keys), ...(synonyms?.keys() ?? [])]);
}

/** The key with this name or synonym, ignoring case. */
export function keyNamed<K extends Keys>(name: string, { keys, synonyms }: Language<K>): KeyOf<K> | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(keys, lower) ? lower : synonyms?.get(lower);
}

/** The meaning of a token; `undefined` if it is incomplete. */
function meaningOf<K extends Keys>(
  body: QueryToken['body'],
  language: Language<K>,
): ValuesOf<K> | TextTerm | RegexTerm | undefined {
  switch (body.type) {
    case 'word':
      return { key: 'text', text: body.text, isQuoted: false };
    case 'quoted':
      return body.text === '' ? undefined : { key: 'text', text: body.text, isQuoted: true };
    case 'regex':
      return { key: 'regex', source: body.source, ignoresCase: body.ignoresCase };
    case 'keyed': {
      const key = keyNamed(body.key, language);
      if (key && body.values.length === 0) return undefined;
      const values = key && body.values.map((value) => language.keys[key]?.(value));
      if (!values || values.includes(undefined)) return { key: 'text', text: body.source, isQuoted: false };
      return { key, values } as ValuesOf<K>;
    }
  }
}

function hintOf<K extends Keys>(body: TokenBody, range: SourceRange, language: Language<K>): QueryHint | undefined {
  if (body.type === 'regex') return regexHint(body.source, body.ignoresCase, range);
  if (body.type !== 'keyed') return undefined;
  const key = keyNamed(body.key, language);
  if (!key) {
    const isPlain = body.key.length < 2 || body.values.length === 0 || body.values[0]?.startsWith('//') === true;
    return isPlain ? undefined : { type: 'unknownKey', key: body.key, range };
  }
  if (body.values.length === 0) return { type: 'noValue', key, range };
  const bad = body.values.find((value) => language.keys[key]?.(value) === undefined);
  return bad === undefined ? undefined : { type: 'badValue', key, value: bad, range };
}

function strayHint<K extends Keys>(
  body: TokenBody,
  range: SourceRange,
  language: Language<K>,
  isStrict: boolean,
): QueryHint | undefined {
  const stray = strayTerm(body, namesOf(language));
  if (!stray || (stray.isPlausible && !isStrict)) return undefined;
  return { type: 'stray', key: stray.written, value: stray.instead, range };
}

function regexHint(source: string, ignoresCase: boolean, range: SourceRange): QueryHint | undefined {
  if (source.length > maxRegexLength) return { type: 'longRegex', range };
  try {
    new RegExp(source, ignoresCase ? 'i' : '');
  } catch (error) {
    return { type: 'badRegex', value: error instanceof Error ? error.message : String(error), range };
  }
  return undefined;
}

/** Reads one of some values, in any case. */
export function oneOf<Value extends string>(values: readonly Value[]): (text: string) => Value | undefined {
  return (text) => values.find((value) => value === text.toLowerCase());
}

/** Takes any text. */
export function anyText(text: string): string {
  return text;
}
