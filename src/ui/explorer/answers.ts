import type { Facets } from '../../log/query/completion';
import { complete } from '../../log/query/completion';
import { parseQuery } from '../../log/query/parseQuery';
import type { Query, QueryHint } from '../../log/query/query';
import { shortId } from '../../log/sessionLabel';
import { shownText } from '../../log/text';
import type { RecordResult } from '../../runs/explorer/recordResult';
import type { RunView } from '../../runs/runView';
import { membersOf, valueAt } from './dataTree';
import type { HostMessage, PageMessage } from './messages';
import type { DetailsOptions } from './recordDetails';
import { maxText, rawLine, recordDetails } from './recordDetails';
import type { Progress } from './results';
import { Results } from './results';
import { rowOf } from './rows';

/** Most values that are suggested for a key. */
const maxValues = 200;

/** The texts of answers, in the person's language. */
export interface AnswerTexts extends DetailsOptions {
  hint(hint: QueryHint): string | undefined;
  /** What is wrong with an expression, or that it is too slow. */
  error(error: string): string;
  problemOf(number: number, count: number): string;
  readonly noProblem: string;
  readonly noSession: string;
  /** How many records a suggestion has. */
  records(count: number): string;
}

export interface AnswerOptions {
  post(message: HostMessage): void;
  readonly makeResult: (query: Query) => RecordResult;
  readonly texts: AnswerTexts;
}

type Question = Exclude<PageMessage, { readonly t: 'ready' | 'act' | 'export' | 'state' | 'turns' }>;

/** Answers what the page asks about the records of a run. */
export class Answers {
  private gen = -1;
  private results: Results | undefined;
  /** Those before it, whose rows are shown if the new filter can't be used. */
  private before: Results | undefined;
  /** All records, for the counts of suggestions. */
  private everything: RecordResult | undefined;

  constructor(
    readonly run: RunView,
    private readonly options: AnswerOptions,
  ) {}

  /** The matches of the filter, oldest first; for the export. */
  get shown(): Results | undefined {
    return this.results;
  }

  answer(question: Question): void {
    switch (question.t) {
      case 'query':
        return this.query(question.gen, question.q);
      case 'rows':
        return this.rows(question);
      case 'histogram':
        return this.histogram(question.gen, question.buckets);
      case 'details':
        return this.details(question.seq);
      case 'tree':
      case 'value':
        return this.data(question);
      case 'raw':
        return this.raw(question.seq);
      case 'next':
        return this.next(question);
      case 'locate':
        return this.locate(question.gen, question.seq);
      case 'complete':
        return this.complete(question.text, question.caret);
    }
  }

  /** Lets go of the results; the next filter makes new ones. */
  dispose(): void {
    this.results?.dispose();
    this.before?.dispose();
    this.everything?.dispose();
    this.results = this.before = this.everything = undefined;
  }

  private post(message: HostMessage): void {
    this.options.post(message);
  }

  private query(gen: number, q: string): void {
    this.gen = gen;
    if (this.results?.q !== q) {
      const unusable = this.results?.main.state.error === undefined ? this.before : this.results;
      if (this.results?.main.state.error === undefined) this.before = this.results;
      unusable?.dispose();
      this.results = new Results(
        q,
        this.options.makeResult,
        () => this.run.log.store.dropped,
        (progress) => this.report(progress),
      );
    }
    const { progress } = this.results;
    if (progress.isDone || progress.error !== undefined) this.report(progress);
  }

  private report(progress: Progress): void {
    const { results } = this;
    if (!results) return;
    const { texts } = this.options;
    const isUsable = progress.error === undefined;
    if (isUsable) {
      this.before?.dispose();
      this.before = undefined;
    }
    const shown = this.readable;
    const { total, scanned, of, isDone, epoch } = shown ? shown.progress : progress;
    this.post({
      t: 'result',
      gen: this.gen,
      total,
      scanned,
      of,
      done: isDone || !isUsable,
      epoch,
      dropped: this.run.log.store.dropped,
      levels: shown?.levelCounts() ?? [],
      hints: progress.query.hints.flatMap((hint) => texts.hint(hint) ?? []),
      error: progress.error === undefined ? '' : texts.error(progress.error),
    });
  }

  /** The results to read rows from: an expression that is wrong or too slow leaves those before it. */
  private get readable(): Results | undefined {
    return this.results?.main.state.error === undefined ? this.results : (this.before ?? this.results);
  }

  private rows({ gen, from, count }: PageMessage & { t: 'rows' }): void {
    const { readable } = this;
    if (gen !== this.gen || !readable) return;
    const { log } = this.run;
    const rows = readable.main.rows(from, count).map((record) => rowOf(record, log));
    this.post({ t: 'rows', gen, epoch: readable.progress.epoch, from, rows });
  }

  private histogram(gen: number, buckets: number): void {
    const { readable } = this;
    if (gen !== this.gen || !readable) return;
    whenDone(readable.withoutTimes, (result) => {
      if (gen !== this.gen) return;
      const { from, to, counts } = result.histogram(buckets);
      const copy = new ArrayBuffer(counts.byteLength);
      new Uint32Array(copy).set(counts);
      this.post({ t: 'histogram', gen, from, to, counts: copy });
    });
  }

  private details(seq: number): void {
    const record = this.run.log.store.get(seq);
    const details = record ? recordDetails(record, this.run, this.options.texts) : null;
    this.post({ t: 'details', seq, details });
  }

  private data(question: PageMessage & { t: 'tree' | 'value' }): void {
    const { seq, path } = question;
    const value = valueAt(this.run.log.store.get(seq)?.data, path);
    if (question.t === 'tree') {
      const { from } = question;
      this.post({ t: 'tree', seq, path, from, nodes: membersOf(value, from) });
    } else if (typeof value === 'string') {
      const missing = Math.max(0, value.length - maxText);
      this.post({
        t: 'value',
        seq,
        path,
        text: `"${shownText(value.slice(0, maxText))}${missing > 0 ? '…' : '"'}`,
        missing,
      });
    }
  }

  private raw(seq: number): void {
    const record = this.run.log.store.get(seq);
    const raw = record && rawLine(record, this.run);
    if (raw === undefined) return;
    this.post({ t: 'raw', seq, text: shownText(raw.slice(0, maxText)), missing: Math.max(0, raw.length - maxText) });
  }

  private next({ gen, seq, dir, what }: PageMessage & { t: 'next' }): void {
    const { readable } = this;
    if (gen !== this.gen || !readable) return;
    const { texts } = this.options;
    const found = readable.main.next(seq, dir, what);
    if (found === undefined) {
      const said = what === 'problem' ? texts.noProblem : what === 'session' ? texts.noSession : '';
      return this.post({ t: 'found', gen, seq, index: -1, isMatch: false, said });
    }
    const { index = -1 } = readable.main.indexOf(found) ?? {};
    this.post({ t: 'found', gen, seq: found, index, isMatch: true, said: '' });
    if (what === 'problem') this.sayProblem(readable, found);
  }

  /** Says which of the problems it is, once they are counted. */
  private sayProblem(readable: Results, seq: number): void {
    whenDone(readable.problems, (problems) => {
      const place = problems.indexOf(seq);
      if (!place?.isMatch) return;
      this.post({ t: 'said', text: this.options.texts.problemOf(place.index + 1, problems.state.total) });
    });
  }

  private locate(gen: number, seq: number): void {
    const { readable } = this;
    if (gen !== this.gen || !readable) return;
    const { index, isMatch } = readable.main.indexOf(seq) ?? { index: readable.main.state.total - 1, isMatch: false };
    this.post({ t: 'found', gen, seq, index, isMatch, said: '' });
  }

  private complete(text: string, caret: number): void {
    // Of all records: what the filter leaves changes while it is typed.
    this.everything ??= this.options.makeResult(parseQuery(''));
    whenDone(this.everything, (everything) => {
      const items = complete(text, caret, this.facetsOf(everything)).map(
        ({ text: insert, range: { start, end }, count }) => ({
          insert,
          label: insert,
          detail: count === undefined ? '' : this.options.texts.records(count),
          from: start,
          to: end,
        }),
      );
      this.post({ t: 'completions', text, items });
    });
  }

  private facetsOf(main: RecordResult): Facets {
    const { log } = this.run;
    // Counted only for the key that is being typed.
    return {
      get level() {
        return main.facets('level');
      },
      get kind() {
        return main.facets('kind');
      },
      get logger() {
        return main.facets('logger').slice(0, maxValues);
      },
      get session() {
        // Ids are bearer-like: they are never shown whole.
        const nameOf = (id: string): string => (id === 'none' ? id : (log.find(id)?.title ?? shortId(id)));
        return main
          .facets('session')
          .slice(0, maxValues)
          .map(({ value, count }) => ({ value: nameOf(value), count }));
      },
    };
  }
}

/** Calls back once a result is complete: at once if it is. */
function whenDone(result: RecordResult, use: (result: RecordResult) => void): void {
  if (result.state.isDone) {
    use(result);
    return;
  }
  const subscription = result.onDidChange(({ isDone }) => {
    if (!isDone) return;
    subscription.dispose();
    use(result);
  });
}
