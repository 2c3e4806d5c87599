import type { QueryHint, SourceRange, TimeValue } from '../../../log/query/query';
import type { TokenBody } from '../../../log/query/queryTokens';
import { queryTokens } from '../../../log/query/queryTokens';
import type { Range, Units } from '../../../log/query/rangeValue';
import { parseRange, timeUnits } from '../../../log/query/rangeValue';
import { parseTime } from '../../../log/query/timeValue';
import type { WireKind, WireRowDirection, WireStatus } from './wirePage';
import { wireKinds, wireStatuses } from './wirePage';

export type WireStatusValue = WireStatus | number;

type Values =
  /** `*` matches anything. */
  | { readonly key: 'method' | 'session' | 'id'; readonly values: readonly string[] }
  | { readonly key: 'kind'; readonly values: readonly WireKind[] }
  | { readonly key: 'dir'; readonly values: readonly WireRowDirection[] }
  /** A number is a JSON-RPC error code, or an HTTP status. */
  | { readonly key: 'status'; readonly values: readonly WireStatusValue[] }
  /** In milliseconds, or bytes. */
  | { readonly key: 'took' | 'size'; readonly values: readonly Range[] }
  | { readonly key: 'since' | 'until'; readonly values: readonly TimeValue[] };

/** Part of the method, case-insensitive. */
interface TextTerm {
  readonly key: 'text';
  readonly text: string;
}

export type WireTerm = (Values | TextTerm) & { readonly negated: boolean };
type WireKey = Values['key'];

/** A parsed filter of the Wire tab. */
export interface WireQuery {
  readonly terms: readonly WireTerm[];
  readonly hints: readonly QueryHint[];
}

/** In the order of suggestion. */
export const wireKeys: readonly WireKey[] = [
  'method',
  'status',
  'took',
  'size',
  'dir',
  'kind',
  'session',
  'id',
  'since',
  'until',
];

const synonyms: Readonly<Record<string, WireKey>> = { after: 'since', before: 'until' };
const directions: Readonly<Record<string, WireRowDirection>> = { in: 'in', out: 'out', a2c: 'in', c2a: 'out' };
const byteUnits: Units = { '': 1, b: 1, k: 1024, kb: 1024, m: 1024 ** 2, mb: 1024 ** 2 };

/** Parses a filter of the Wire tab. Never throws: invalid terms become text, and a hint explains them. */
export function parseWireQuery(text: string): WireQuery {
  const terms: WireTerm[] = [];
  const hints: QueryHint[] = [];
  for (const { range, negated, body } of queryTokens(text)) {
    const { meaning, hint } = readBody(body, range);
    if (meaning) terms.push({ ...meaning, negated });
    if (hint) hints.push(hint);
  }
  return { terms, hints };
}

/** The key with this name, case-insensitive. */
export function wireKeyOf(name: string): WireKey | undefined {
  const lower = name.toLowerCase();
  return wireKeys.find((key) => key === lower) ?? synonyms[lower];
}

interface Read {
  readonly meaning?: Values | TextTerm;
  readonly hint?: QueryHint;
}

function readBody(body: TokenBody, range: SourceRange): Read {
  if (body.type === 'word' || body.type === 'quoted') {
    return body.text === '' ? {} : { meaning: { key: 'text', text: body.text } };
  }
  if (body.type === 'regex') return { meaning: { key: 'text', text: body.source } }; // a path, such as /mcp/
  const asText = { key: 'text', text: body.source } as const;
  const key = wireKeyOf(body.key);
  if (!key) return { meaning: asText, hint: { type: 'unknownKey', key: body.key, range } };
  if (body.values.length === 0) return { hint: { type: 'noValue', key, range } };
  const meaning = readValues(key, body.values);
  if (meaning) return { meaning };
  const value = body.values.find((one) => !readValues(key, [one])) ?? '';
  return { meaning: asText, hint: { type: 'badValue', key, value, range } };
}

/** `undefined` if any value is invalid for the key. */
function readValues(key: WireKey, texts: readonly string[]): Values | undefined {
  const lower = texts.map((text) => text.toLowerCase());
  switch (key) {
    case 'method':
    case 'session':
    case 'id':
      return { key, values: texts };
    case 'kind':
      return valid(
        key,
        lower.map((text) => wireKinds.find((kind) => kind === text)),
      );
    case 'dir':
      return valid(
        key,
        lower.map((text) => directions[text]),
      );
    case 'status':
      return valid(key, lower.map(statusValue));
    case 'took':
      return valid(
        key,
        lower.map((text) => parseRange(text, timeUnits)),
      );
    case 'size':
      return valid(
        key,
        lower.map((text) => parseRange(text, byteUnits)),
      );
    case 'since':
    case 'until':
      return valid(key, lower.map(parseTime));
  }
}

function valid<Key extends WireKey, Value>(key: Key, values: readonly (Value | undefined)[]) {
  return values.includes(undefined) ? undefined : { key, values: values as readonly Value[] };
}

function statusValue(text: string): WireStatusValue | undefined {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  return wireStatuses.find((status) => status === text && status !== 'none');
}
