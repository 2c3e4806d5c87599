import type { Level } from '../../text/level';
import { levels, rankOf } from '../../text/level';
import { printValue } from '../../query/completion';
import { parseQuery } from '../../query/parseQuery';
import type { QueryKey, Term } from '../../query/query';
import type { QueryToken, SourceRange } from '../../query/queryTokens';
import { queryTokens } from '../../query/queryTokens';
import type { TimeRange } from '../../query/timeAxis';
import type { TimeReference } from '../../query/timeValue';
import { timeEnd } from '../../query/timeValue';
import { clock, padded } from '../kit/text';

/** The levels that a filter asks for by name, as ranks; empty if it doesn't restrict them. */
export function askedLevels(text: string): ReadonlySet<number> {
  const asked = new Set<number>();
  for (const term of parseQuery(text).terms) {
    if (term.key !== 'level' || term.negated) continue;
    for (const { level, isExact } of term.values) {
      for (let rank = rankOf(level); rank < (isExact ? rankOf(level) + 1 : levels.length); rank++) asked.add(rank);
    }
  }
  return asked;
}

/** Adds a level to those that the filter asks for, or removes it. */
export function toggleLevel(text: string, rank: number): string {
  const asked = new Set(askedLevels(text));
  if (!asked.delete(rank)) asked.add(rank);
  return withLevels(text, asked);
}

function withLevels(text: string, asked: ReadonlySet<number>): string {
  const rest = withoutTerms(text, ['level']);
  if (asked.size === 0 || asked.size === levels.length) return rest;
  const ranks = [...asked].sort((a, b) => a - b);
  const isUpward = ranks.at(-1) === levels.length - 1 && ranks.length === levels.length - (ranks[0] ?? 0);
  const names = ranks.map((rank): Level => levels[rank] ?? 'info');
  return joined(
    rest,
    isUpward && ranks.length > 1 ? `level:${names[0]}` : `level:${names.map((name) => `=${name}`).join(',')}`,
  );
}

/** Replaces the time range of a filter, in milliseconds since the epoch, or removes it. */
export function withTimes(text: string, range: { readonly from: number; readonly to: number } | undefined): string {
  const rest = withoutTerms(text, ['since', 'until']);
  if (!range) return rest;
  return joined(rest, `since:${localIso(range.from)} until:${localIso(range.to)}`);
}

/** The filter's time range, clipped to what the histogram shows; `undefined` if it has none. */
export function rangeIn(
  text: string,
  { axis: { from, to }, times }: { readonly axis: TimeRange; readonly times: TimeReference },
): TimeRange | undefined {
  const { terms } = parseQuery(text);
  const endOf = (key: 'since' | 'until'): number | undefined => {
    const values = terms.flatMap((term) => (term.key === key && !term.negated ? term.values : []));
    return values.length === 0 ? undefined : Math.max(from, Math.min(to, timeEnd(key, values, times)));
  };
  const [since, until] = [endOf('since'), endOf('until')];
  return since === undefined && until === undefined ? undefined : { from: since ?? from, to: until ?? to };
}

/** Whether it has a positive `since:` or `until:`. */
export function hasTimes(text: string): boolean {
  return parseQuery(text).terms.some((term) => isOf(term, ['since', 'until']));
}

/** Whether all records of some sessions in a range of time are shown, so that the time between two of them means something. */
export function isContiguous(text: string): boolean {
  return parseQuery(text).terms.every((term) => isOf(term, ['session', 'since', 'until', 'seq']));
}

/** Local date and time in milliseconds, as `since:` takes it. */
export function localIso(ms: number): string {
  const time = new Date(ms);
  return `${padded(time.getFullYear(), 4)}-${padded(time.getMonth() + 1)}-${padded(time.getDate())}T${clock(ms)}`;
}

/** Removes the positive terms of some keys, and leaves everything else untouched. */
export function withoutTerms(text: string, keys: readonly QueryKey[]): string {
  return without(
    text,
    parseQuery(text).terms.filter((term) => isOf(term, keys)),
  );
}

/** Whether a filter, in any of the languages, has a value of a key. */
export function hasValue(text: string, key: string, value: string): boolean {
  return valuesOf(tokensOf(text, key)).includes(value);
}

/** Adds a value of a key to the filter, or removes it. */
export function toggleValue(text: string, key: string, value: string): string {
  const tokens = tokensOf(text, key);
  const asked = valuesOf(tokens);
  const values = asked.includes(value) ? asked.filter((one) => one !== value) : [...asked, value];
  return joined(without(text, tokens), valueTerm(key, values));
}

/** Asks for one value of a key only. */
export function onlyValue(text: string, key: string, value: string): string {
  const tokens = queryTokens(text).filter(({ body }) => hasKey(body, key));
  return joined(without(text, tokens), valueTerm(key, [value]));
}

/** Excludes a value of a key. */
export function exceptValue(text: string, key: string, value: string): string {
  const asked = tokensOf(text, key);
  const others = valuesOf(asked).filter((one) => one !== value);
  const isAsked = hasValue(text, key, value);
  const rest = isAsked ? joined(without(text, asked), valueTerm(key, others)) : text.trim();
  const excluded = queryTokens(text).filter(({ negated, body }) => negated && hasKey(body, key));
  const isDone = valuesOf(excluded).includes(value) || (isAsked && others.length > 0);
  return isDone ? rest : joined(rest, `-${valueTerm(key, [value])}`);
}

function valueTerm(key: string, values: readonly string[]): string {
  return values.length === 0 ? '' : `${key}:${values.map(printValue).join(',')}`;
}

/** A `kind:` term that a filter begins with is that of the chips in Wire. The box has a blank before one that is typed. */
const chipTerm = /^kind:(?:request|notification|http)(?:,(?:request|notification|http))*(?: |$)/;

/** The part of a filter that its box shows: without that of the chips. */
export function typedPart(text: string): string {
  return text.replace(chipTerm, '').trimStart();
}

/** Replaces the typed part. Kinds that are typed replace those of the chips. */
export function withTyped(text: string, typed: string): string {
  if (tokensOf(typed, 'kind').length > 0) return ` ${typed.trimStart()}`;
  const [term = ''] = chipTerm.exec(text) ?? [];
  return typed === '' || term === '' ? term.trimEnd() + typed : `${term.trimEnd()} ${typed}`;
}

/** Adds kinds to those of the chips, or removes them. */
export function toggleKinds(text: string, kinds: readonly string[]): string {
  const tokens = tokensOf(text, 'kind');
  const asked = valuesOf(tokens);
  const others = asked.filter((kind) => !kinds.includes(kind));
  const next = kinds.some((kind) => asked.includes(kind)) ? others : [...others, ...kinds];
  return joined(next.length === 0 ? '' : `kind:${next.join(',')}`, without(text, tokens));
}

/** The positive terms with this key. */
function tokensOf(text: string, key: string): readonly QueryToken[] {
  return queryTokens(text).filter(({ negated, body }) => !negated && hasKey(body, key));
}

function hasKey(body: QueryToken['body'], key: string): boolean {
  return body.type === 'keyed' && body.key.toLowerCase() === key;
}

function valuesOf(tokens: readonly QueryToken[]): readonly string[] {
  return tokens.flatMap(({ body }) => (body.type === 'keyed' ? body.values : []));
}

/** Cuts parts out of a text. */
function without(text: string, parts: readonly { readonly range: SourceRange }[]): string {
  return parts
    .reduceRight(
      (rest, { range }) => joined(rest.slice(0, range.start).trimEnd(), rest.slice(range.end).trimStart()),
      text,
    )
    .trim();
}

function isOf(term: Term, keys: readonly QueryKey[]): boolean {
  return !term.negated && (keys as readonly string[]).includes(term.key);
}

function joined(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first} ${second}`;
}
