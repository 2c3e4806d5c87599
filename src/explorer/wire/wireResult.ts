import type { RegexTerm } from '../../query/language';
import { globTest, passesSession } from '../../query/queryTest';
import type { RowTests } from '../../query/rowTest';
import { rowTest } from '../../query/rowTest';
import { isWithin } from '../../query/rangeValue';
import { placesByWeight, ranksOf } from '../../query/sorting';
import { timeTest } from '../../query/timeValue';
import { sessionLabel } from '../../text/sessionLabel';
import type { RegexRunner } from '../../store/regexRunner';
import { matchingTexts } from '../../store/regexRunner';
import type { WirePlace, WireRows } from '../../runLog/wire/wireRows';
import type { WireCounts, WirePage, WireSort, WireStatus } from '../../runLog/wire/wirePage';
import type { WireQuery, WireTerm } from './wireQuery';
import { wireLanguage } from './wireQuery';

/** The rows that match a filter. */
export interface WireResult {
  /** Row numbers in the requested order. */
  readonly rows: Uint32Array;
  readonly counts: WireCounts;
  /** Time range of the matches, from the first message to the last end, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

export interface WireSetting {
  /** End time for pending rows, in milliseconds since the epoch. */
  readonly now: number;
  titleOf(sessionId: string): string | undefined;
  readonly regex: RegexRunner;
}

/** In the order of what needs a look first. Rows without a status come last. */
const urgent: readonly WireStatus[] = ['pending', 'error', 'unanswered', 'cancelled', 'ok'];

/**
 * Finds the matches by a full scan: about 10 ms for 100,000 rows.
 * @throws RegexTooSlow
 */
export async function findWire(
  index: WireRows,
  query: WireQuery,
  sort: WireSort,
  setting: WireSetting,
): Promise<WireResult> {
  const weightOf = weighing(sort, index, setting);
  const test = await rowTest(query, wireLanguage, new WireTests(index, setting));
  const found: number[] = [];
  const weights: number[] = [];
  const counts = { requests: 0, notifications: 0, http: 0, errors: 0, pending: 0 };
  let [from, to] = [Infinity, -Infinity];
  index.forEach((at, row) => {
    const { page, place } = at;
    count(counts, page, place);
    if (!test(at)) return;
    found.push(row);
    if (weightOf) weights.push(weightOf(page, place));
    const time = page.times[place] ?? 0;
    from = Math.min(from, time);
    to = Math.max(to, time + tookOf(page, place, setting.now));
  });
  const rows = weightOf
    ? placesByWeight(weights, sort.direction).map((place) => found[place] ?? 0)
    : Uint32Array.from(found);
  if (!weightOf && sort.direction === 'descending') rows.reverse();
  return found.length === 0 ? { rows, counts, from: 0, to: 0 } : { rows, counts, from, to };
}

function count(counts: { -readonly [Key in keyof WireCounts]: number }, page: WirePage, place: number): void {
  const kind = page.kind(place);
  if (kind === 'request') counts.requests++;
  else if (kind === 'notification') counts.notifications++;
  else counts.http++;
  const status = page.status(place);
  if (status === 'error') counts.errors++;
  else if (status === 'pending') counts.pending++;
}

/** In milliseconds: until now while pending, 0 if it needs no answer. */
function tookOf(page: WirePage, place: number, now: number): number {
  const status = page.status(place);
  if (status === 'none') return 0;
  return status === 'pending' ? Math.max(0, now - (page.times[place] ?? now)) : (page.took[place] ?? 0);
}

/** What a row weighs in an order; `undefined` if the order is that of the wire. */
function weighing(
  { by }: WireSort,
  { methods, sessions }: WireRows,
  setting: WireSetting,
): ((page: WirePage, place: number) => number) | undefined {
  switch (by) {
    case 'time':
      return undefined;
    case 'took':
      return (page, place) => (page.status(place) === 'none' ? -1 : tookOf(page, place, setting.now));
    case 'size':
      return (page, place) => (page.sizes[place] ?? 0) + (page.answerSizes[place] ?? 0);
    case 'status':
      return (page, place) => urgent.indexOf(page.status(place));
    case 'method': {
      const ranks = ranksOf(methods.all);
      return (page, place) => ranks[page.methods[place] ?? 0] ?? -1;
    }
    case 'session': {
      const ranks = ranksOf(sessions.all.map((id) => (id === '' ? '' : sessionLabel(id, setting.titleOf(id)))));
      return (page, place) => ranks[page.sessions[place] ?? 0] ?? -1;
    }
  }
}

/** How rows are tested; each name is tested once. */
class WireTests implements RowTests<typeof wireLanguage.keys, WirePlace> {
  constructor(
    private readonly index: WireRows,
    private readonly setting: WireSetting,
  ) {}

  valuesTest(term: WireTerm): (row: WirePlace) => boolean {
    const { index, setting } = this;
    const { now } = setting;
    switch (term.key) {
      case 'method': {
        const globs = term.values.map(globTest);
        const passing = index.methods.all.map((name) => globs.some((glob) => glob(name)));
        return ({ page, place }) => passing[page.methods[place] ?? 0] === true;
      }
      case 'session': {
        const passes = index.sessions.all.map((id) =>
          passesSession(id === '' ? undefined : { id, title: setting.titleOf(id) }, term.values),
        );
        return ({ page, place }) => passes[page.sessions[place] ?? 0] === true;
      }
      case 'id': {
        const ids = new Set(term.values);
        return ({ page, place }) => ids.has(page.id(place) ?? '');
      }
      case 'kind':
        return ({ page, place }) => term.values.includes(page.kind(place));
      case 'dir':
        return ({ page, place }) => term.values.includes(page.isIncoming(place) ? 'in' : 'out');
      case 'status':
        return ({ page, place }) =>
          term.values.includes(page.status(place)) || term.values.includes(page.code(place) ?? NaN);
      case 'took':
        return ({ page, place }) => page.status(place) !== 'none' && isWithin(tookOf(page, place, now), term.values);
      case 'size':
        return ({ page, place }) => isWithin((page.sizes[place] ?? 0) + (page.answerSizes[place] ?? 0), term.values);
      case 'since':
      case 'until': {
        const test = timeTest(term, now);
        return ({ page, place }) => test(page.times[place] ?? 0);
      }
    }
  }

  textsTest(passes: (text: string) => boolean): (row: WirePlace) => boolean {
    const [passing, passingKinds] = [this.index.methods.all.map(passes), this.index.carriedKinds.all.map(passes)];
    return ({ page, place }) => {
      if (passing[page.methods[place] ?? 0] === true || passingKinds[page.carriedKinds[place] ?? 0] === true) {
        return true;
      }
      const about = page.about(place);
      return about !== '' && passes(about);
    };
  }

  texts(): readonly string[] {
    const abouts = new Set<string>();
    this.index.forEach(({ page, place }) => abouts.add(page.about(place)));
    return [...this.index.methods.all, ...this.index.carriedKinds.all, ...abouts];
  }

  matching(term: RegexTerm, texts: readonly string[]): Promise<ReadonlySet<string>> {
    return matchingTexts(this.setting.regex, term, texts);
  }
}
