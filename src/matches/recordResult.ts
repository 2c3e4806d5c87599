import type { Event } from '../text/emitter';
import { Emitter } from '../text/emitter';
import { levels } from '../text/level';
import type { Bitmap } from '../query/bitmap';
import { codeCount } from '../query/compiledQuery';
import { changedNames } from '../timeline/changes';
import type { Facet, FacetKey } from '../query/completion';
import { counted } from '../query/completion';
import type { Query } from '../query/query';
import { addBusy, addCodes, addLoggers, addToHistogram, countBetween, countIn } from '../store/tally';
import type { TimeAxis, TimeRange } from '../query/timeAxis';
import { axisOf, idleBetween, longIdle, minIdle } from '../query/timeAxis';
import type { TimeReference } from '../query/timeValue';
import type { LogRecord } from '../text/record';
import { sessionLabel, shortId } from '../text/sessionLabel';
import { Page } from '../store/page';
import type { PageColumns } from '../store/pageColumns';
import type { PagePart } from '../store/pageReader';
import type { SpilledPage } from '../store/spilledPage';
import type { StoredPage } from '../store/store';
import type { ExplorerLog } from '../runLog/explorerRun';
import { byCode } from './plan';
import type { ResultOptions, ResultState } from './resultScan';
import { ResultScan } from './resultScan';
import { Slices } from '../time/slices';

/** Maximum number of rows at once. */
export const maxRows = 200;
/** Pages that are read at the same time. */
const readsAtOnce = 4;

/** The records of a run that match a query, updated as records arrive. */
export class RecordResult {
  private readonly changeEmitter = new Emitter<ResultState>();
  /** Fires while scanning, when done, and when records arrive. */
  readonly onDidChange: Event<ResultState> = this.changeEmitter.event;
  private readonly scan: ResultScan;
  private isDisposed = false;

  constructor(
    private readonly log: ExplorerLog,
    query: Query,
    options: ResultOptions,
  ) {
    this.scan = new ResultScan(log, query, options, (state) => this.changeEmitter.fire(state));
  }

  get state(): ResultState {
    return this.scan.state;
  }

  /** What the query's times are relative to. */
  get times(): TimeReference {
    return this.scan.times;
  }

  /**
   * Records by position among the matches, oldest first, up to 200.
   * @param part `messages` leaves out their data, which is faster if they aren't in memory
   */
  async rows(from: number, count: number, part: PagePart = 'all'): Promise<LogRecord[]> {
    const seqs = this.matches.slice(Math.max(0, from), Math.min(count, maxRows));
    const found = await this.read(seqs, part);
    if (found.size < seqs.length) this.scan.update(); // A page was lost: the matches in it are gone.
    return seqs.flatMap((seq) => found.get(seq) ?? []);
  }

  /** The position of a record among the matches, or of the next match. */
  indexOf(seq: number): { readonly index: number; readonly isMatch: boolean } | undefined {
    const { matches } = this;
    const index = matches.rank(Math.max(0, seq));
    return index >= matches.count ? undefined : { index, isMatch: matches.has(seq) };
  }

  /** The nearest match after or before a record. */
  next(seq: number, direction: 1 | -1): number | undefined {
    return direction === 1 ? this.matches.next(Math.max(0, seq + 1)) : this.matches.previous(seq - 1);
  }

  /** The same, wrapping around. */
  nextAround(seq: number, direction: 1 | -1): number | undefined {
    return this.next(seq, direction) ?? this.next(direction === 1 ? 0 : Number.MAX_SAFE_INTEGER, direction);
  }

  /** The nearest match after or before a record in another session. */
  nextOfOtherSession(seq: number, direction: 1 | -1): number | undefined {
    const { matches } = this;
    const { pages } = this.log.store;
    const own = pages.find(({ page }) => page.find(seq) >= 0);
    let best: number | undefined;
    for (const { page, sessionId } of pages) {
      if (own && sessionId === own.sessionId) continue;
      const found = direction === 1 ? firstAfter(seq, page, matches, best) : lastBefore(seq, page, matches, best);
      best = found ?? best;
    }
    return best;
  }

  /** Matches by time and level, long stretches without any cut short; `undefined` if the result is disposed first. */
  async histogram(buckets: number): Promise<{ readonly axis: TimeAxis; readonly counts: Uint32Array } | undefined> {
    const { matches } = this;
    const counts = new Uint32Array(buckets * levels.length);
    const busy: TimeRange[] = [];
    const isComplete = await this.eachPage(
      ({ page }) => addBusy(busy, matches, page),
      () => busy.splice(0),
    );
    if (!isComplete) return undefined;
    if (busy.length === 0) return { axis: axisOf({ from: 0, to: 0 }, []), counts };
    const range = {
      from: busy.reduce((least, { from }) => Math.min(least, from), Infinity),
      to: busy.reduce((most, { to }) => Math.max(most, to), -Infinity),
    };
    const axis = axisOf(range, longIdle(idleBetween(busy, minIdle), range));
    const edges = Float64Array.from({ length: buckets + 1 }, (_, bucket) => axis.timeAt(bucket / buckets));
    const isCounted = await this.eachPage(
      ({ page }) => addToHistogram({ edges, counts }, matches, page),
      () => counts.fill(0),
    );
    return isCounted ? { axis, counts } : undefined;
  }

  /** The first match at a time or later. */
  async firstAt(time: number): Promise<number | undefined> {
    const { matches } = this;
    let first: number | undefined;
    await this.eachPage(
      ({ page }) => (first = firstSince(time, page, matches, first) ?? first),
      () => (first = undefined),
    );
    return first;
  }

  /** Number of matches per value, most frequent first; `undefined` if the result is disposed first. */
  async facets(key: FacetKey): Promise<readonly Facet[] | undefined> {
    const counts = await this.counts(key);
    if (!counts) return undefined;
    return [...counts]
      .map(([value, count]) => ({ value, count }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
  }

  dispose(): void {
    this.isDisposed = true;
    this.scan.dispose();
  }

  private get matches(): Bitmap {
    return this.scan.matches;
  }

  private async counts(key: FacetKey): Promise<ReadonlyMap<string, number> | undefined> {
    const { matches } = this;
    switch (key) {
      case 'level':
      case 'kind': {
        const counts = new Uint32Array(codeCount);
        const isCounted = await this.eachPage(
          ({ page }) => addCodes(counts, matches, page),
          () => counts.fill(0),
        );
        return isCounted ? byCode(counts, (meaning) => meaning[key]) : undefined;
      }
      case 'logger': {
        const counts = new Map<string, number>();
        const isCounted = await this.eachPage(
          ({ page }) => addLoggers(counts, matches, page),
          () => counts.clear(),
        );
        return isCounted ? counts : undefined;
      }
      case 'file':
        return new Map(counted(changedNames(this.log.spans())).map(({ value, count }) => [value, count]));
      case 'session': {
        const counts = new Map<string | undefined, number>();
        const isCounted = await this.eachPage(
          ({ page, sessionId }) => counts.set(sessionId, (counts.get(sessionId) ?? 0) + countIn(matches, page)),
          () => counts.clear(),
        );
        return isCounted ? this.bySessionName(counts) : undefined;
      }
    }
  }

  /** By title if it is unique, otherwise by the end of the ID. */
  private bySessionName(counts: ReadonlyMap<string | undefined, number>): ReadonlyMap<string, number> {
    const labels = new Map<string, number>();
    for (const { id, title } of this.log.sessions) {
      const label = sessionLabel(id, title);
      labels.set(label, (labels.get(label) ?? 0) + 1);
    }
    return new Map(
      [...counts].map(([id, count]) => {
        if (id === undefined) return ['none', count];
        const label = sessionLabel(id, this.log.find(id)?.title);
        return [labels.get(label) === 1 ? label : shortId(id), count];
      }),
    );
  }

  /**
   * Visits all pages in slices. Starts over if records were evicted meanwhile, because their pages are reused.
   * @returns false if the result was disposed
   */
  private async eachPage(visit: (page: StoredPage) => void, restart?: () => void): Promise<boolean> {
    const slices = new Slices();
    const { store } = this.log;
    let { version, pages } = store;
    for (let at = 0; at < pages.length && !this.isDisposed; at++) {
      const page = pages[at];
      if (page) visit(page);
      if (!slices.isSpent) continue;
      await slices.next();
      if (store.version === version) continue;
      ({ version, pages } = store);
      restart?.();
      at = -1;
    }
    return !this.isDisposed;
  }

  private async read(seqs: readonly number[], part: PagePart): Promise<ReadonlyMap<number, LogRecord>> {
    const found = new Map<number, LogRecord>();
    const elsewhere: (readonly [SpilledPage, readonly number[]])[] = [];
    const take = (page: Page | undefined, sessionId: string | undefined, wanted: readonly number[]): void => {
      for (const seq of wanted) {
        const record = page?.recordAt(page.find(seq), sessionId, this.log.store.sessionIds);
        if (record) found.set(seq, record);
      }
    };
    for (const { page, sessionId } of this.log.store.pages) {
      const wanted = inPage(seqs, page);
      if (wanted.length === 0) continue;
      // Immediately, because the pages in memory may be reused while others are read.
      if (page instanceof Page) take(page, sessionId, wanted);
      else elsewhere.push([page, wanted]);
    }
    for (let at = 0; at < elsewhere.length; at += readsAtOnce) {
      const reads = elsewhere.slice(at, at + readsAtOnce);
      await Promise.all(reads.map(async ([page, wanted]) => take(await page.read(part), page.sessionId, wanted)));
    }
    return found;
  }
}

/** The numbers that are in a page, ascending. */
function inPage(seqs: readonly number[], page: PageColumns): readonly number[] {
  const [first, last] = [seqs[0] ?? Infinity, seqs.at(-1) ?? -Infinity];
  if (page.count === 0 || page.firstSeq > last || page.lastSeq < first) return [];
  return seqs.filter((seq) => page.find(seq) >= 0);
}

/** The first match of a page after a record, if it is before `limit`. */
function firstAfter(seq: number, page: PageColumns, matches: Bitmap, limit = Infinity): number | undefined {
  for (let at = page.firstAfter(seq); at < page.count; at++) {
    const other = page.seqAt(at);
    if (other >= limit) return undefined;
    if (matches.has(other)) return other;
  }
  return undefined;
}

/** The first match of a page since a time, if it is before `limit`. */
function firstSince(time: number, page: PageColumns, matches: Bitmap, limit = Infinity): number | undefined {
  if (page.firstSeq >= limit || page.timeRange.last < time || countBetween(matches, page) === 0) return undefined;
  for (let at = 0; at < page.count && page.seqAt(at) < limit; at++) {
    if (page.receivedAt(at) >= time && matches.has(page.seqAt(at))) return page.seqAt(at);
  }
  return undefined;
}

/** The last match of a page before a record, if it is after `limit`. */
function lastBefore(seq: number, page: PageColumns, matches: Bitmap, limit = -1): number | undefined {
  for (let at = page.firstAfter(seq - 1) - 1; at >= 0; at--) {
    const other = page.seqAt(at);
    if (other <= limit) return undefined;
    if (matches.has(other)) return other;
  }
  return undefined;
}
