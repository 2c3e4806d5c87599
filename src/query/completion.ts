import { levels } from '../text/level';
import { kinds } from '../text/record';
import type { KeyHelp, KeyOf, Keys, Language } from './language';
import { keyNamed } from './language';
import type { QueryKey } from './query';
import { recordLanguage } from './query';
import type { SourceRange } from './queryTokens';
import { queryTokens } from './queryTokens';

/** A value that records have, and how many of them. */
export interface Facet {
  readonly value: string;
  readonly count: number;
}

/** Values with counts, by key. */
export type Facets = Partial<Readonly<Record<FacetKey, readonly Facet[]>>>;

/** Keys whose values have counts. */
export type FacetKey = 'level' | 'session' | 'logger' | 'kind' | 'file';

/** One suggestion: `text` replaces `range`. */
export interface Completion {
  readonly type: 'key' | 'value';
  readonly text: string;
  readonly range: SourceRange;
  /** How many records have this value. */
  readonly count?: number;
  /** Of a key. */
  readonly help?: KeyHelp;
}

/** Maximum number of suggestions. */
const maxCompletions = 50;

/** Suggested times. */
export const times: readonly Suggested[] = valuesFrom(['1m', '10m', '1h', '1d']);

/** A value to suggest. */
export type Suggested = Omit<Facet, 'count'> & Partial<Facet>;

/** Suggests keys, or values for the key at the caret. */
export function complete(text: string, caret: number, facets: Facets): readonly Completion[] {
  return completeIn(recordLanguage, (key) => valuesOf(key, facets), text, caret);
}

/** Suggests keys and values of any filter language. */
export function completeIn<K extends Keys>(
  language: Language<K>,
  suggested: (key: KeyOf<K>) => readonly Suggested[],
  text: string,
  caret: number,
): readonly Completion[] {
  const keysFor = (prefix: string, range: SourceRange): readonly Completion[] =>
    (Object.keys(language.keys) as readonly KeyOf<K>[])
      .filter((key) => key.startsWith(prefix.toLowerCase()))
      .map((key) => ({ type: 'key', text: `${key}:`, range, help: language.help[key] }));
  const token = queryTokens(text.slice(0, caret)).find(({ range }) => range.end >= caret);
  if (!token) return keysFor('', { start: caret, end: caret });
  const { range, negated, body } = token;
  const start = range.start + (negated ? 1 : 0);
  if (body.type === 'word') return keysFor(body.text, { start, end: wordEnd(text, caret) });
  const key = body.type === 'keyed' ? keyNamed(body.key, language) : undefined;
  if (body.type !== 'keyed' || !key) return [];
  const typed = body.source.slice(body.key.length + 1);
  const value = /(?:^|,)("(?:[^"\\]|\\[^])*"?|[^,]*)$/.exec(typed)?.[1] ?? '';
  const sign = key === 'level' && value.startsWith('=') ? '=' : '';
  const wanted = value.replace(/^[="]|"$/g, '').toLowerCase();
  const place = { start: caret - value.length, end: valueEnd(text, caret, value) };
  return suggested(key)
    .filter((one) => one.value.toLowerCase().includes(wanted))
    .slice(0, maxCompletions)
    .map(({ value: name, count }) => ({
      type: 'value',
      text: sign + printValue(name),
      range: place,
      ...(count !== undefined && { count }),
    }));
}

/** The key whose counts the suggestions at the caret need. */
export function facetKeyAt(text: string, caret: number): FacetKey | undefined {
  const token = queryTokens(text.slice(0, caret)).find(({ range }) => range.end >= caret);
  const key = token?.body.type === 'keyed' ? keyNamed(token.body.key, recordLanguage) : undefined;
  return key === 'level' || key === 'session' || key === 'logger' || key === 'kind' || key === 'file' ? key : undefined;
}

/** The values of a key of records. */
export function valuesOf(key: QueryKey, facets: Facets): readonly Suggested[] {
  switch (key) {
    case 'level':
      return withCounts(levels, facets.level);
    case 'kind':
      return withCounts(kinds, facets.kind);
    case 'session':
    case 'logger':
    case 'file':
      return facets[key] ?? [];
    case 'since':
    case 'until':
      return times;
    case 'is':
      return [{ value: 'problem' }];
    case 'has':
      return [{ value: 'data' }];
    case 'raw':
    case 'seq':
      return [];
  }
}

/** Values without counts. */
export function valuesFrom(values: readonly string[]): readonly Suggested[] {
  return values.map((value) => ({ value }));
}

/** The values of some rows and how many have each: the most frequent first, or all values of an order. */
export function counted(found: readonly string[], order?: readonly string[]): readonly Facet[] {
  const counts = new Map<string, number>();
  for (const value of found) counts.set(value, (counts.get(value) ?? 0) + 1);
  const facets = [...counts].map(([value, count]) => ({ value, count }));
  return order ? withCounts(order, facets) : facets.sort((a, b) => b.count - a.count);
}

/** In the fixed order of the values, which is more familiar than an order by count. */
function withCounts(values: readonly string[], facets: readonly Facet[] | undefined): readonly Facet[] {
  return values.map((value) => ({ value, count: facets?.find((facet) => facet.value === value)?.count ?? 0 }));
}

function wordEnd(text: string, caret: number): number {
  return caret + (/^[^\s:]*:?/.exec(text.slice(caret))?.[0].length ?? 0);
}

function valueEnd(text: string, caret: number, value: string): number {
  const rest = value.startsWith('"') ? /^[^"]*"?/ : /^[^\s,]*/;
  return caret + (rest.exec(text.slice(caret))?.[0].length ?? 0);
}

/** Quotes a value only if it needs it. */
export function printValue(value: string): string {
  return /[\s,]|^"/.test(value) ? quote(value) : value;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
