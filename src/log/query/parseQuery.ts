import { parseLevel } from '../level';
import { kinds } from '../record';
import type { KeyValues, LevelValue, Query, QueryHint, QueryKey, SeqValue, SourceRange, Term } from './query';
import { maxRegexLength, queryKeys } from './query';
import type { QueryToken, TokenBody } from './queryTokens';
import { queryTokens } from './queryTokens';
import { parseTime } from './timeValue';

/** VS Code's names for the same keys. */
const synonyms: ReadonlyMap<string, QueryKey> = new Map([
  ['after', 'since'],
  ['before', 'until'],
]);

/** Parses a query. It never throws: what it can't interpret becomes text, with a hint. */
export function parseQuery(text: string): Query {
  const terms: Term[] = [];
  const hints: QueryHint[] = [];
  for (const { range, negated, body } of queryTokens(text)) {
    const hint = hintOf(body, range);
    if (hint) hints.push(hint);
    const meaning = meaningOf(body);
    if (meaning) terms.push({ ...meaning, negated, range });
  }
  return { terms, hints };
}

/** The key with this name or synonym, ignoring case. */
export function keyOf(name: string): QueryKey | undefined {
  const lower = name.toLowerCase();
  return queryKeys.find((key) => key === lower) ?? synonyms.get(lower);
}

/** The meaning of a token; `undefined` if it is incomplete. */
function meaningOf(body: QueryToken['body']): Meaning | undefined {
  switch (body.type) {
    case 'word':
      return { key: 'text', text: body.text, isQuoted: false };
    case 'quoted':
      return body.text === '' ? undefined : { key: 'text', text: body.text, isQuoted: true };
    case 'regex':
      return { key: 'regex', source: body.source, ignoresCase: body.ignoresCase };
    case 'keyed': {
      const key = keyOf(body.key);
      if (key && body.values.length === 0) return undefined;
      return (key && readValues(key, body.values)) ?? { key: 'text', text: body.source, isQuoted: false };
    }
  }
}

type Meaning = WithoutPlace<Term>;
type WithoutPlace<T> = T extends unknown ? Omit<T, 'negated' | 'range'> : never;

function hintOf(body: TokenBody, range: SourceRange): QueryHint | undefined {
  if (body.type === 'regex') return regexHint(body.source, body.ignoresCase, range);
  if (body.type !== 'keyed') return undefined;
  const key = keyOf(body.key);
  if (!key) {
    const isPlain = body.key.length < 2 || body.values.length === 0 || body.values[0]?.startsWith('//') === true;
    return isPlain ? undefined : { type: 'unknownKey', key: body.key, range };
  }
  if (body.values.length === 0) return { type: 'noValue', key, range };
  const bad = body.values.find((value) => !readValues(key, [value]));
  return bad === undefined ? undefined : { type: 'badValue', key, value: bad, range };
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

/** `undefined` if a value is invalid for the key. */
function readValues(key: QueryKey, texts: readonly string[]): KeyValues | undefined {
  const all = <Value, Read>(read: (text: string) => Value | undefined, make: (values: readonly Value[]) => Read) => {
    const values = texts.map(read);
    return values.includes(undefined) ? undefined : make(values as readonly Value[]);
  };
  switch (key) {
    case 'level':
      return all(levelValue, (values) => ({ key, values }));
    case 'kind':
      return all(
        (text) => kinds.find((kind) => kind === text.toLowerCase()),
        (values) => ({ key, values }),
      );
    case 'since':
    case 'until':
      return all(parseTime, (values) => ({ key, values }));
    case 'is':
      return all(
        (text) => (text.toLowerCase() === 'problem' ? 'problem' : undefined),
        (values) => ({ key, values }),
      );
    case 'has':
      return all(
        (text) => (text.toLowerCase() === 'data' ? 'data' : undefined),
        (values) => ({ key, values }),
      );
    case 'seq':
      return all(seqValue, (values) => ({ key, values }));
    case 'session':
    case 'logger':
    case 'raw':
      return { key, values: texts };
  }
}

function levelValue(text: string): LevelValue | undefined {
  const isExact = text.startsWith('=');
  const level = parseLevel(isExact ? text.slice(1) : text);
  return level && { level, isExact };
}

/** `100`, `100..200`, `100..` or `..200`; `*` is an open end as well. */
function seqValue(text: string): SeqValue | undefined {
  const one = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (one !== undefined) return { from: one, to: one };
  const ends = /^(\d{1,15}|\*)?\.\.(\d{1,15}|\*)?$/.exec(text);
  if (!ends) return undefined;
  const [, from = '*', to = '*'] = ends;
  return { ...(from !== '*' && { from: Number(from) }), ...(to !== '*' && { to: Number(to) }) };
}
