import * as vscode from 'vscode';
import type { Facet, FacetKey } from '../../log/query/completion';
import { complete, facetKeyAt } from '../../log/query/completion';
import { parseQuery } from '../../log/query/parseQuery';
import type { Query } from '../../log/query/query';
import type { RecordResult } from '../../runs/explorer/recordResult';
import { whenDone } from '../../runs/explorer/runQuery';
import type { RunView } from '../../runs/runView';
import { isBeingRead } from '../../runs/runView';
import { filterText } from './filterText';
import type { HostMessage, PageMessage, TurnQuestion, WireQuestion } from './messages';
import { rowPage } from './messages';
import type { ButtonsOf } from './record/recordDetails';
import { answerAboutRecord } from './record/recordDetails';
import { Results } from './results';
import { rowOf } from './rows';

/** Maximum number of values to suggest for a key. */
const maxValues = 200;
/** The newest rows come with the result, because a page that starts to search shows them first. */
const newestRows = 2 * rowPage;

export interface AnswerOptions {
  post(message: HostMessage): void;
  readonly makeResult: (query: Query) => RecordResult;
  /** The buttons for a problem. */
  readonly buttonsOf: ButtonsOf;
}

type Question = Exclude<
  PageMessage,
  TurnQuestion | WireQuestion | { readonly t: 'ready' | 'act' | 'export' | 'state' }
>;

/** Answers what the page asks about the records of a run. */
export class Answers {
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
  private epoch: { readonly results?: Results; readonly of: number; readonly number: number } = { of: -1, number: 0 };
  private reported = { gen: -1, epoch: -1 };
  private isReporting = false;
  private isOutdated = false;

  constructor(
    readonly run: RunView,
    private readonly options: AnswerOptions,
  ) {}

  /** The matches that the page shows; for the export. */
  get shown(): RecordResult | undefined {
    return this.readable?.main;
  }

  async answer(question: Question): Promise<void> {
    switch (question.t) {
      case 'query':
        this.query(question.gen, question.q);
        return;
      case 'rows':
        return this.rows(question);
      case 'counts':
        return this.counts(question.gen, question.buckets);
      case 'next':
        return this.next(question);
      case 'locate':
        this.locate(question.gen, question.seq);
        return;
      case 'complete':
        return this.complete(question.text, question.caret);
      case 'details':
      case 'tree':
      case 'value':
      case 'raw': {
        const answer = answerAboutRecord(question, this.run, this.options.buttonsOf);
        if (answer) this.post(answer);
      }
    }
  }

  /** Frees the results; the next filter makes new ones. */
  dispose(): void {
    this.results?.dispose();
    this.before?.dispose();
    this.everything?.dispose();
    this.facets.clear();
    this.results = this.before = this.everything = undefined;
  }

  private post(message: HostMessage): void {
    this.options.post(message);
  }

  private query(gen: number, q: string): void {
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

  /** Whether an answer for a filter is still wanted. */
  private isCurrent(gen: number, results: Results): boolean {
    return gen === this.gen && results === this.readable;
  }

  private epochOf(results: Results): number {
    const { epoch } = results.main.state;
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
    if (!this.isCurrent(gen, readable)) return void (this.isOutdated = true);
    this.reported = { gen, epoch };
    this.post({
      t: 'result',
      gen,
      total,
      of,
      done: isDone || hasFailed,
      epoch,
      dropped: this.run.log.store.dropped,
      ...filterText(results.query.hints, results.main.state.error),
      ...(newest && { newest }),
    });
  }

  private async rows({ gen, from, count }: PageMessage & { t: 'rows' }): Promise<void> {
    const { readable } = this;
    if (gen !== this.gen || !readable) return;
    const epoch = this.epochOf(readable);
    this.post({ t: 'rows', gen, epoch, from, rows: await this.rowsOf(readable, from, count) });
  }

  private async rowsOf({ main }: Results, from: number, count: number) {
    const { log } = this.run;
    return (await main.rows(from, count, 'messages')).map((record) => rowOf(record, log));
  }

  /** Counts for the chips and the histogram; after the total, so that rows come first. */
  private async counts(gen: number, buckets: number): Promise<void> {
    const { readable } = this;
    if (gen !== this.gen || !readable) return;
    await whenDone(readable.main);
    const levels = this.isCurrent(gen, readable) && (await readable.levelCounts());
    if (!levels || !this.isCurrent(gen, readable)) return;
    this.post({ t: 'levels', gen, counts: levels });
    await whenDone(readable.withoutTimes);
    const histogram = this.isCurrent(gen, readable) && (await readable.withoutTimes.histogram(buckets));
    if (!histogram || !this.isCurrent(gen, readable)) return;
    const { from, to, counts } = histogram;
    this.post({ t: 'histogram', gen, from, to, counts: counts.slice().buffer });
  }

  private async next({ gen, seq, dir, what }: PageMessage & { t: 'next' }): Promise<void> {
    const { readable } = this;
    if (gen !== this.gen || !readable) return;
    let found: number | undefined;
    let said = '';
    if (what === 'session') {
      found = readable.main.nextOfOtherSession(seq, dir);
      if (found === undefined) said = vscode.l10n.t('No record of another session');
    } else {
      const { problems } = readable;
      await Promise.all([whenDone(problems), whenDone(readable.main)]);
      if (!this.isCurrent(gen, readable)) return;
      found = problems.next(seq, dir);
      const number = found === undefined ? 0 : (problems.indexOf(found)?.index ?? 0) + 1;
      said =
        found === undefined
          ? vscode.l10n.t('No more problems')
          : vscode.l10n.t('Problem {0} of {1}', number, problems.state.total);
    }
    const { index = -1 } = found === undefined ? {} : (readable.main.indexOf(found) ?? {});
    this.post({ t: 'found', gen, seq: found ?? seq, index, said });
  }

  private locate(gen: number, seq: number): void {
    const { readable } = this;
    if (gen !== this.gen || !readable) return;
    // The page asks again when more was read.
    if (isBeingRead(this.run) && seq > this.run.log.store.lastSeq) return;
    const { index, isMatch } = readable.main.indexOf(seq) ?? { index: readable.main.state.total - 1, isMatch: false };
    this.post({ t: 'located', gen, seq, index, isMatch });
  }

  private async complete(text: string, caret: number): Promise<void> {
    const key = facetKeyAt(text, caret);
    const facets = key ? { [key]: await this.facetsOf(key) } : {};
    this.post({ t: 'completions', text, items: complete(text, caret, facets) });
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
