import type { Suggested } from '../../query/completion';
import { counted, times, valuesFrom } from '../../query/completion';
import type { Language, QueryOf, ValuesOf } from '../../query/language';
import { anyText, oneOf, sessionHelp } from '../../query/language';
import type { Units } from '../../query/rangeValue';
import { rangeIn, timeUnits } from '../../query/rangeValue';
import { timeHelp, timeKeys, timeSynonyms } from '../../query/timeValue';
import { sessionLabel } from '../../text/sessionLabel';
import { t } from '../../text/translator';
import type { WirePlace, WireRows } from '../../runLog/wire/wireRows';
import type { WireRowDirection, WireStatus } from '../../runLog/wire/wirePage';
import { wireKinds, wireStatuses } from '../../runLog/wire/wirePage';

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
  took: rangeIn(timeUnits),
  /** In bytes. */
  size: rangeIn(byteUnits),
  dir: (text: string): WireRowDirection | undefined => directions.get(text.toLowerCase()),
  kind: oneOf(wireKinds),
  session: anyText,
  id: anyText,
  ...timeKeys,
};

/** The language of the Wire tab. */
export const wireLanguage: Language<typeof keys> = {
  keys,
  help: {
    method: { about: t('a method; * for anything'), example: 'method:session/*' },
    status: { about: t('how it was answered, or an error code'), example: 'status:error' },
    took: { about: t('how long it took'), example: 'took:>1s' },
    size: { about: t('bytes of the message and its answer'), example: 'size:>64k' },
    dir: { about: t('in to the client, or out of it'), example: 'dir:in' },
    kind: { about: t('a kind of message'), example: 'kind:request' },
    session: sessionHelp,
    id: { about: t('a request by its ID'), example: 'id:7' },
    ...timeHelp,
  },
  synonyms: timeSynonyms,
  ranges: new Set(['took', 'size', 'since', 'until']),
};

type WireKey = keyof typeof keys;
export type WireTerm = ValuesOf<typeof keys>;
export type WireQuery = QueryOf<typeof keys>;

/** A status, a JSON-RPC error code, or an HTTP status. */
function statusValue(text: string): WireStatus | number | undefined {
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  return wireStatuses.find((status) => status === text.toLowerCase() && status !== 'none');
}

/** Suggests values for a key, with the number of rows that have each. */
export function suggestWire(
  index: WireRows,
  key: WireKey,
  titleOf: (sessionId: string) => string | undefined,
): readonly Suggested[] {
  const all = (valueAt: (at: WirePlace) => string): readonly string[] => {
    const values: string[] = [];
    index.forEach((at) => values.push(valueAt(at)));
    return values;
  };
  switch (key) {
    case 'method':
      return counted(
        all(({ page, place }) => index.methods.at(page.methods[place] ?? 0)).filter((name) => name !== ''),
      );
    case 'status':
      return counted(
        all(({ page, place }) => page.status(place)),
        wireStatuses.filter((status) => status !== 'none'),
      );
    case 'kind':
      return counted(
        all(({ page, place }) => page.kind(place)),
        wireKinds,
      );
    case 'dir':
      return counted(
        all(({ page, place }) => (page.isIncoming(place) ? 'in' : 'out')),
        ['out', 'in'],
      );
    case 'session': {
      const labels = index.sessions.all.map((id) => (id === '' ? 'none' : sessionLabel(id, titleOf(id))));
      return counted(all(({ page, place }) => labels[page.sessions[place] ?? 0] ?? 'none'));
    }
    case 'took':
      return valuesFrom(['>100ms', '>1s', '>10s', '>1m']);
    case 'size':
      return valuesFrom(['>1k', '>64k', '>1m']);
    case 'since':
    case 'until':
      return times;
    case 'id':
      return [];
  }
}
