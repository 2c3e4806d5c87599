import type { Event } from '../../log/emitter';
import { Emitter } from '../../log/emitter';
import { Bitmap } from '../../log/query/bitmap';
import type { Facet } from '../../log/query/completion';
import type { Query } from '../../log/query/query';
import { isProblem } from '../../log/query/queryTest';
import type { Histogram } from '../../log/query/tally';
import { histogramOf, loggersOf, tallyOf } from '../../log/query/tally';
import { meaningOf } from '../../log/query/compiledQuery';
import type { LogRecord } from '../../log/record';
import { sessionLabel, shortId } from '../../log/sessionLabel';
import type { StoredPage } from '../../log/store/store';
import type { RunLog } from '../runLog';
import { byCode } from './plan';
import type { ResultOptions, ResultState } from './resultScan';
import { ResultScan } from './resultScan';

/** Most rows at once. */
export const maxRows = 200;

export type FacetKey = 'level' | 'session' | 'logger' | 'kind';

/** The records of a run that match a query, extended as records come. */
export class RecordResult {
  private readonly changeEmitter = new Emitter<ResultState>();
  /** Now and then while it is scanned, when it is done, and again when records come. */
  readonly onDidChange: Event<ResultState> = this.changeEmitter.event;
  private readonly scan: ResultScan;
  /** The same query without the terms of a key, for that key's facets. */
  private readonly others = new Map<FacetKey, RecordResult>();
  private isDisposed = false;

  constructor(
    private readonly log: RunLog,
    private readonly query: Query,
    private readonly options: ResultOptions,
  ) {
    this.scan = new ResultScan(log, query, options, (state) => this.changeEmitter.fire(state));
  }

  get state(): ResultState {
    return this.scan.state;
  }

  /** Records by position among the matches, oldest first; at most 200. */
  rows(from: number, count: number): LogRecord[] {
    const seqs = this.matches.slice(Math.max(0, from), Math.min(count, maxRows));
    return [...this.log.store.getAll(seqs)];
  }

  /** The position of a record among the matches, or else of the next one. */
  indexOf(seq: number): { readonly index: number; readonly isMatch: boolean } | undefined {
    const { matches } = this;
    const index = matches.rank(Math.max(0, seq));
    return index >= matches.count ? undefined : { index, isMatch: matches.has(seq) };
  }

  /** The nearest match after or before a record: any, a problem, or one of another session. */
  next(seq: number, direction: 1 | -1, what: 'problem' | 'session' | 'any'): number | undefined {
    const wanted = what === 'any' ? this.matches : this.narrowed(seq, what);
    return direction === 1 ? wanted.next(Math.max(0, seq + 1)) : wanted.previous(seq - 1);
  }

  /** Matches by time and level. */
  histogram(buckets: number): Histogram {
    return histogramOf(this.matches, this.pages, buckets);
  }

  /** How many matches there would be of each value if the query had no terms with that key; most first. */
  facets(key: FacetKey): readonly Facet[] {
    const other = this.withoutKey(key);
    if (other) return other.facets(key);
    return [...this.counts(key)]
      .map(([value, count]) => ({ value, count }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
  }

  dispose(): void {
    this.isDisposed = true;
    this.scan.dispose();
    for (const other of this.others.values()) other.dispose();
  }

  private get matches(): Bitmap {
    return this.scan.matches;
  }

  private get pages(): readonly StoredPage[] {
    return this.log.store.pages;
  }

  private counts(key: FacetKey): ReadonlyMap<string, number> {
    switch (key) {
      case 'level':
        return byCode(tallyOf(this.matches, this.pages).codes, ({ level }) => level);
      case 'kind':
        return byCode(tallyOf(this.matches, this.pages).codes, ({ kind }) => kind);
      case 'session':
        return this.sessionCounts();
      case 'logger':
        return loggersOf(this.matches, this.pages);
    }
  }

  /** By title, if only one session has it, or else by the end of the id. */
  private sessionCounts(): ReadonlyMap<string, number> {
    const { sessions } = tallyOf(this.matches, this.pages);
    const labels = this.log.sessions.map(({ id, title }) => sessionLabel(id, title));
    return new Map(
      [...sessions].map(([id, count]) => {
        if (id === undefined) return ['none', count];
        const label = sessionLabel(id, this.log.find(id)?.title);
        return [labels.filter((other) => other === label).length === 1 ? label : shortId(id), count];
      }),
    );
  }

  private withoutKey(key: FacetKey): RecordResult | undefined {
    if (this.isDisposed || !this.query.terms.some((term) => term.key === key)) return undefined;
    const known = this.others.get(key);
    if (known) return known;
    const terms = this.query.terms.filter((term) => term.key !== key);
    const other = new RecordResult(this.log, { ...this.query, terms }, this.options);
    other.onDidChange(() => this.changeEmitter.fire(this.state));
    this.others.set(key, other);
    return other;
  }

  /** The matches that are problems, or of other sessions than a record. */
  private narrowed(seq: number, what: 'problem' | 'session'): Bitmap {
    const bitmap = new Bitmap();
    const wanted = Uint8Array.from({ length: 256 }, (_, code) => (isProblem(meaningOf(code)) ? 1 : 0));
    for (const { page, sessionId } of this.pages) {
      if (what === 'problem') page.markCodes(wanted, 0, page.count, bitmap);
      else if (page.find(seq) >= 0) return this.ofOthers(sessionId);
    }
    return what === 'session' ? this.matches : Bitmap.combined(this.matches, [{ bitmaps: [bitmap], negated: false }]);
  }

  private ofOthers(own: string | undefined): Bitmap {
    const bitmap = new Bitmap();
    for (const { page, sessionId } of this.pages) if (sessionId === own) page.markAll(0, page.count, bitmap);
    return Bitmap.combined(this.matches, [{ bitmaps: [bitmap], negated: true }]);
  }
}
