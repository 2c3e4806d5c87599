import type { Keys, Language, QueryOf, TermOf } from '../../query/language';
import { parse } from '../../query/language';
import { hintWords } from '../../query/hintWords';
import { termGroups } from '../../query/queryTest';
import { queryTokens } from '../../query/queryTokens';
import type { Range } from '../../query/rangeValue';
import type { TimeValue } from '../../query/timeValue';
import { isObject, numberOf } from '../../text/json';
import { levels } from '../../text/level';
import { shownLine } from '../../text/text';
import { inEnglish } from '../../text/translator';

const maxShown = 60;
const asText = 'If that is meant, put it in quotes.';
/** Flags of JavaScript's expressions: `i` is the only one that a query knows. */
const flagged = /^[-!]?(\/(?:[^/\\]|\\[^])+\/)(g[imsuy]{0,4}|i[gmsuy]{1,4}|[msuy]?i|[msuy])(?=\s|$)/i;

/** Why a query would check something else than is meant, and what to write instead: what can never match makes a check that always passes. */
export function queryMistake<K extends Keys>(text: string, language: Language<K>): string | undefined {
  const query = parse(text, language, true);
  const [hint] = query.hints;
  if (!hint) return strayMark(text) ?? contradiction(query, language);
  const isText = ['unknownKey', 'badValue', 'stray'].includes(hint.type);
  const why = inEnglish(hintWords(hint));
  return isText ? `${why} ${asText}` : why;
}

/** A sign, a quote or a flag that isn't where a query has it. */
function strayMark(text: string): string | undefined {
  let end = 0;
  for (const { range, body } of queryTokens(text)) {
    const alone = aloneIn(text.slice(end, range.start));
    if (alone !== undefined) return alone;
    end = range.end;
    const source = text.slice(range.start, end);
    const isOpen = (body.type === 'quoted' || body.type === 'keyed') && withoutQuotes(source).includes('"');
    if (isOpen) return `${shown(source)} has a quote without an end. Close it, or write \\" in quotes for one.`;
    const [written, expression, flags] = (body.type === 'word' && flagged.exec(text.slice(range.start))) || [];
    if (written !== undefined) {
      const instead = `${expression}${/i/i.test(flags ?? '') ? 'i' : ''}`;
      return `${shown(written)} is searched for as text: the only flag is i. Write it like ${instead}. ${asText}`;
    }
  }
  return aloneIn(text.slice(end));
}

function aloneIn(between: string): string | undefined {
  const sign = between.trim();
  return sign === '' ? undefined : `${shown(sign)} stands alone, so it is ignored. Write it like -key:a. ${asText}`;
}

function withoutQuotes(source: string): string {
  return source.replace(/"(?:[^"\\]|\\[^])*"/g, '');
}

function shown(source: string): string {
  return `‘${shownLine(source, maxShown)}’`;
}

/** Terms that exclude each other. */
function contradiction<K extends Keys>({ terms }: QueryOf<K>, { ranges }: Language<K>): string | undefined {
  const groups = termGroups(terms, ranges).map(({ terms: same, negated }) => ({
    key: same[0]?.key,
    negated,
    values: same.flatMap(valuesOf),
  }));
  for (const { key, values } of groups.filter(({ negated }) => !negated)) {
    const others = groups.filter((other) => other.key === key);
    const excluded = others.flatMap((other) => (other.negated ? other.values : []));
    const asked = others.flatMap((other) => (other.negated ? [] : [other.values]));
    if (values.every((one) => excluded.some(includes(one))) || areApart(asked)) {
      const what = key === 'text' || key === 'regex' ? 'its texts' : `its terms of ‘${key}:’`;
      return `nothing can match it, because ${what} exclude each other.`;
    }
  }
  const times = (key: 'since' | 'until'): readonly TimeValue[] =>
    groups.flatMap((group) => (group.key === key && !group.negated ? (group.values as readonly TimeValue[]) : []));
  return isBackwards(times('since'), times('until')) ? 'nothing can match it: ‘since:’ is after ‘until:’.' : undefined;
}

function valuesOf<K extends Keys>(term: TermOf<K>): readonly unknown[] {
  if ('values' in term) return term.values;
  return ['text' in term ? term.text.toLowerCase() : `/${term.source}/${term.ignoresCase ? 'i' : ''}`];
}

/** Whether another value includes one: a level includes those above. */
function includes(one: unknown): (other: unknown) => boolean {
  const rank = (value: unknown): number => levels.findIndex((level) => isObject(value) && value['level'] === level);
  return (other) =>
    JSON.stringify(other) === JSON.stringify(one) ||
    (isObject(other) && other['isExact'] === false && rank(one) >= rank(other));
}

/** Whether no number is in a range of each term. */
function areApart(terms: readonly (readonly unknown[])[]): boolean {
  let left: readonly Range[] = [{ from: 0, to: Infinity }];
  for (const own of terms) {
    if (!own.every(isRange)) return false;
    left = left.flatMap((one) =>
      own.flatMap(({ from, to }) => {
        const both = { from: Math.max(one.from, from), to: Math.min(one.to, to) };
        return both.from <= both.to ? [both] : [];
      }),
    );
  }
  return left.length === 0;
}

function isRange(value: unknown): value is Range {
  return isObject(value) && numberOf(value['from']) !== undefined && value['to'] !== undefined;
}

function isBackwards(since: readonly TimeValue[], until: readonly TimeValue[]): boolean {
  const [first] = since;
  if (!first || until.length === 0 || first.type === 'clock') return false;
  if ([...since, ...until].some(({ type }) => type !== first.type)) return false;
  const sign = first.type === 'ago' ? -1 : 1;
  return Math.min(...since.map(({ ms }) => sign * ms)) > Math.max(...until.map(({ ms }) => sign * ms));
}
