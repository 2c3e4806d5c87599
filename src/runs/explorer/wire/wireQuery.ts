import type { Language, QueryOf, ValuesOf } from '../../../log/query/language';
import { anyText, oneOf } from '../../../log/query/language';
import type { Range, Units } from '../../../log/query/rangeValue';
import { parseRange, timeUnits } from '../../../log/query/rangeValue';
import { parseTime, timeSynonyms } from '../../../log/query/timeValue';
import type { WireRowDirection, WireStatus } from './wirePage';
import { wireKinds, wireStatuses } from './wirePage';

const directions: ReadonlyMap<string, WireRowDirection> = new Map([
  ['in', 'in'],
  ['out', 'out'],
  ['a2c', 'in'],
  ['c2a', 'out'],
]);
const byteUnits: Units = { '': 1, b: 1, k: 1024, kb: 1024, m: 1024 ** 2, mb: 1024 ** 2 };

const keys = {
  /** `*` matches anything. */
  method: anyText,
  status: statusValue,
  /** In milliseconds. */
  took: (text: string): Range | undefined => parseRange(text.toLowerCase(), timeUnits),
  /** In bytes. */
  size: (text: string): Range | undefined => parseRange(text.toLowerCase(), byteUnits),
  dir: (text: string): WireRowDirection | undefined => directions.get(text.toLowerCase()),
  kind: oneOf(wireKinds),
  session: anyText,
  id: anyText,
  since: parseTime,
  until: parseTime,
};

/** The language of the Wire tab. */
export const wireLanguage: Language<typeof keys> = {
  keys,
  synonyms: timeSynonyms,
  ranges: new Set(['took', 'size', 'since', 'until']),
};

export type WireKey = keyof typeof keys;
export type WireTerm = ValuesOf<typeof keys>;
export type WireQuery = QueryOf<typeof keys>;

/** A status, a JSON-RPC error code, or an HTTP status. */
function statusValue(text: string): WireStatus | number | undefined {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  return wireStatuses.find((status) => status === text.toLowerCase() && status !== 'none');
}
