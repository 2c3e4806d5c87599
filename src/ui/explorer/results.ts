import { levels } from '../../log/level';
import { parseQuery } from '../../log/query/parseQuery';
import type { Query, QueryKey } from '../../log/query/query';
import type { RecordResult } from '../../runs/explorer/recordResult';
import type { ResultState } from '../../runs/explorer/resultScan';

/** A progress is reported this often while a result is searched for, and this often as records come, in milliseconds. */
const scanInterval = 50;
const liveInterval = 250;

/** How far the search for a filter has come. */
export interface Progress extends ResultState {
  readonly query: Query;
  /** Changes when records have other positions than before. */
  readonly epoch: number;
}

/** The results of one filter: what it shows, and what is counted beside it. */
export class Results {
  readonly query: Query;
  readonly main: RecordResult;
  private times: RecordResult | undefined;
  private problemsOnly: RecordResult | undefined;
  private readonly subscription: { dispose(): void };
  /** The same without `level:`, whose levels are counted. */
  private readonly allLevels: RecordResult;
  private timer: NodeJS.Timeout | undefined;
  private reportedAt = 0;
  private wasDone = false;
  private epoch = 0;
  private dropped = 0;

  /** @param droppedNow how many records are no longer kept */
  constructor(
    readonly q: string,
    private readonly make: (query: Query) => RecordResult,
    private readonly droppedNow: () => number,
    private readonly report: (progress: Progress) => void,
  ) {
    this.query = parseQuery(q);
    this.main = make(this.query);
    this.dropped = droppedNow();
    this.subscription = this.main.onDidChange((state) => this.reportSoon(state));
    this.allLevels = this.without(['level']);
    // Counted apart, and later known.
    if (this.allLevels !== this.main) this.allLevels.onDidChange(() => this.reportSoon(this.main.state));
  }

  get progress(): Progress {
    const { state } = this.main;
    if (this.dropped !== this.droppedNow()) {
      this.dropped = this.droppedNow();
      this.epoch++;
    }
    return { ...state, isDone: state.isDone || this.wasDone, query: this.query, epoch: this.epoch };
  }

  /** The same without `since:` and `until:`, so that a stretch of time can be seen in the whole. */
  get withoutTimes(): RecordResult {
    this.times ??= this.without(['since', 'until']);
    return this.times;
  }

  /** Those of the matches that are problems. */
  get problems(): RecordResult {
    this.problemsOnly ??= this.make(parseQuery(`${this.q} is:problem`));
    return this.problemsOnly;
  }

  /** Matches by level, whatever levels the filter asks for. */
  levelCounts(): readonly number[] {
    const facets = new Map(this.allLevels.facets('level').map(({ value, count }) => [value, count]));
    return levels.map((level) => facets.get(level) ?? 0);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    for (const result of [this.main, this.times, this.problemsOnly, this.allLevels]) result?.dispose();
  }

  /** The result without the positive terms of some keys; the same one if there are none. */
  private without(keys: readonly QueryKey[]): RecordResult {
    const terms = this.query.terms.filter(({ key, negated }) => negated || !(keys as readonly string[]).includes(key));
    return terms.length === this.query.terms.length ? this.main : this.make({ terms, hints: this.query.hints });
  }

  private reportSoon(state: ResultState): void {
    // Until the first pass is over, older records are still being found: whatever is known has moved.
    if (!this.wasDone) this.epoch++;
    const isFirst = state.isDone && !this.wasDone;
    const wait = this.reportedAt + (this.wasDone ? liveInterval : scanInterval) - Date.now();
    this.wasDone ||= state.isDone;
    if (isFirst || wait <= 0) this.reportNow();
    else this.timer ??= setTimeout(() => this.reportNow(), wait);
  }

  private reportNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.reportedAt = Date.now();
    this.report(this.progress);
  }
}
