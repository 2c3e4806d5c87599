import type { Completion, Facet, FacetKey } from '../../query/completion';
import { complete, facetKeyAt } from '../../query/completion';
import { parseQuery } from '../../query/parseQuery';
import type { Query } from '../../query/query';
import type { RecordResult } from '../../matches/recordResult';
import { whenDone } from '../../matches/whenDone';
import type { ExplorerRun } from '../../runLog/explorerRun';
import { isBeingRead } from '../../runLog/runView';
import { filterText } from './filterText';
import type { ArgsOf, Found, Handlers, HistogramAnswer, LogResult, NextProblem, Place, RowsAnswer } from './messages';
import { rowPage } from './messages';
import { nextText } from './nextText';
import { Results } from './results';
import { rowOf, sessionTags } from './rows';
import type { Translator } from '../../text/translator';

/** Maximum number of values to suggest for a key. */
const maxValues = 200;
/** The newest rows come with the result, because a page that starts to search shows them first. */
const newestRows = 2 * rowPage;

export interface AnswerOptions {
  readonly l10n: Translator;
  /** Sends the state of the filter whenever it has changed. */
  onResult(result: LogResult): void;
  readonly makeResult: (query: Query) => RecordResult;
  /** Exports the matches. */
  export(matches: RecordResult): Promise<void>;
}

type LogHandlers = Handlers['log'];

/** Answers what the page asks about the records of a run. */
export class Answers implements LogHandlers {
  private gen = -1;
  private results: Results | undefined;
  /** The last results that were complete, shown instead if the filter turns out to be unusable. */
  private before: Results | undefined;
  /** All records, for the counts of suggestions. */
  private everything: RecordResult | undefined;
  private readonly facets = new Map<
    FacetKey,
    { readonly lastSeq: number; readonly values: Promise<readonly Facet[]> }
  >();
  /** Numbers the positions of rows, over all results. */
  private epoch: { readonly results?: Results; readonly of: string; readonly number: number } = { of: '', number: 0 };
  private reported = { gen: -1, epoch: -1 };
  private isReporting = false;
  private isOutdated = false;

  constructor(
    readonly run: ExplorerRun,
    private readonly options: AnswerOptions,
  ) {}

  /** Frees the results; the next filter makes new ones. */
  dispose(): void {
    this.results?.dispose();
    this.before?.dispose();
    this.everything?.dispose();
    this.facets.clear();
    this.results = this.before = this.everything = undefined;
  }

  query({ gen, q }: ArgsOf<'log.query'>): void {
    this.gen = gen;
    const { results } = this;
    if (results?.q !== q) {
      if (results?.main.state.isDone === true && !results.hasFailed) {
        this.before?.dispose();
        this.before = results;
      } else results?.dispose();
      this.results = new Results(q, this.options.makeResult, () => void this.report());
    } else if (results.main.state.epoch > 0) void this.report();
  }

  /** The results to read rows from: an expression that is invalid or too slow leaves the ones before it. */
  private get readable(): Results | undefined {
    return this.results?.hasFailed === true ? (this.before ?? this.results) : this.results;
  }

  private epochOf(results: Results): number {
    // A settled problem looks different, and so do rows whose session was the only one.
    const { settledCount, sessions } = this.run.log;
    const epoch = `${results.main.state.epoch} ${settledCount} ${sessions.length}`;
    if (this.epoch.results !== results || this.epoch.of !== epoch) {
      this.epoch = { results, of: epoch, number: this.epoch.number + 1 };
    }
    return this.epoch.number;
  }

  /** Reports one after the other; what changes while rows are read is in the next report. */
  private async report(): Promise<void> {
    this.isOutdated = true;
    if (this.isReporting) return;
    this.isReporting = true;
    try {
      while (this.isOutdated) {
        this.isOutdated = false;
        await this.reportNow();
      }
    } finally {
      this.isReporting = false;
    }
  }

  private async reportNow(): Promise<void> {
    const { gen, results, readable } = this;
    if (!results || !readable) return;
    const { hasFailed } = results;
    const { total, of, isDone } = readable.main.state;
    if (isDone && !hasFailed) {
      this.before?.dispose();
      this.before = undefined;
    }
    const epoch = this.epochOf(readable);
    const isMoved = gen !== this.reported.gen || epoch !== this.reported.epoch;
    const from = Math.max(0, Math.floor((total - newestRows) / rowPage) * rowPage);
    const newest = isMoved ? { from, rows: await this.rowsOf(readable, from, total - from) } : undefined;
    if (gen !== this.gen || readable !== this.readable) return void (this.isOutdated = true);
    this.reported = { gen, epoch };
    this.options.onResult({
      gen,
      total,
      of,
      done: isDone || hasFailed,
      epoch,
      problems: this.run.log.problems.size,
      dropped: this.run.log.store.dropped,
      ...filterText(results.query.hints, this.options.l10n, results.main.state.error),
      ...(newest && { newest }),
    });
  }

  async rows({ from, count }: ArgsOf<'log.rows'>): Promise<RowsAnswer | undefined> {
    const { readable } = this;
    return readable && { epoch: this.epochOf(readable), rows: await this.rowsOf(readable, from, count) };
  }

  private async rowsOf({ main }: Results, from: number, count: number) {
    const { log } = this.run;
    const tags = sessionTags(log);
    return (await main.rows(from, count, 'messages')).map((record) => rowOf(record, log, tags, this.options.l10n));
  }

  /** Counts for the chips; after the total, so that rows come first. */
  async levels(): Promise<readonly number[] | undefined> {
    const { readable } = this;
    if (readable) await whenDone(readable.main);
    return readable === this.readable ? readable?.levelCounts() : undefined;
  }

  async histogram({ buckets }: ArgsOf<'log.histogram'>): Promise<HistogramAnswer | undefined> {
    const { readable } = this;
    if (readable) await whenDone(readable.withoutTimes);
    const histogram = readable === this.readable ? await readable?.withoutTimes.histogram(buckets) : undefined;
    if (!readable || !histogram) return undefined;
    const { from, to, breaks } = histogram.axis;
    return { from, to, breaks, counts: histogram.counts.slice().buffer, times: readable.main.times };
  }

  async at({ time }: ArgsOf<'log.at'>): Promise<number | undefined> {
    const { readable } = this;
    if (readable) await whenDone(readable.withoutTimes);
    return readable === this.readable ? readable?.withoutTimes.firstAt(time) : undefined;
  }

  async next({ seq, dir, what }: ArgsOf<'log.next'>): Promise<Found | undefined> {
    const { readable } = this;
    if (!readable) return undefined;
    const { main } = readable;
    // Failures are searched for only if they are asked for.
    const failures = what === 'failure' ? readable.failures : undefined;
    if (failures) await Promise.all([whenDone(failures), whenDone(main)]);
    if (readable !== this.readable) return undefined;
    const found = failures ? failures.nextAround(seq, dir) : main.nextOfOtherSession(seq, dir);
    if (found === undefined) return { id: seq, index: -1, said: nextText(this.options.l10n, what, 0, 0) };
    const number = (failures?.indexOf(found)?.index ?? 0) + 1;
    const said = nextText(this.options.l10n, what, number, failures?.state.total ?? 0);
    return { id: found, index: main.indexOf(found)?.index ?? -1, said };
  }

  problem({ seq, dir }: ArgsOf<'log.problem'>): NextProblem {
    const { l10n } = this.options;
    const found = this.run.log.problems.next(seq, dir);
    if (!found) return { said: l10n.t('No problems found.') };
    return { seq: found.seq, said: l10n.t('Problem {0} of {1}', found.number, found.total) };
  }

  locate({ seq }: ArgsOf<'log.locate'>): Place | undefined {
    const { readable } = this;
    // The page asks again when more was read.
    if (!readable || (isBeingRead(this.run) && seq > this.run.log.store.lastSeq)) return undefined;
    return readable.main.indexOf(seq) ?? { index: readable.main.state.total - 1, isMatch: false };
  }

  async complete({ text, caret }: ArgsOf<'log.complete'>): Promise<readonly Completion[]> {
    const key = facetKeyAt(text, caret);
    return complete(text, caret, key ? { [key]: await this.facetsOf(key) } : {});
  }

  async export(): Promise<void> {
    if (this.readable) await this.options.export(this.readable.main);
  }

  /** Values and their counts in all records: those of the matches would change while the filter is typed. */
  private facetsOf(key: FacetKey): Promise<readonly Facet[]> {
    const { lastSeq } = this.run.log.store;
    const known = this.facets.get(key);
    if (known?.lastSeq === lastSeq) return known.values;
    const everything = (this.everything ??= this.options.makeResult(parseQuery('')));
    const values = whenDone(everything)
      .then(() => everything.facets(key))
      .then((facets = []) => facets.slice(0, maxValues));
    this.facets.set(key, { lastSeq, values });
    return values;
  }
}
