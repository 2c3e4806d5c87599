import { otherWork, quietPause, quietTimer } from '../time/timers';
import { Bitmap } from '../query/bitmap';
import { errorIn } from '../query/language';
import type { Query } from '../query/query';
import type { TimeReference } from '../query/timeValue';
import { messageOf } from '../text/humanError';
import type { ExplorerLog } from '../runLog/explorerRun';
import { Evaluation } from './evaluation';
import { LeafCache } from '../runLog/leaf';
import { isRelative, planKey, planOf, timesOf } from './plan';
import type { RegexRunner } from '../store/regexRunner';

/** Progress of a result. */
export interface ResultState {
  /** Matches found so far; all of them once it is done. */
  readonly total: number;
  /** How many records were searched, or will be. */
  readonly of: number;
  readonly isDone: boolean;
  /** Changes whenever matches have other positions than before; matches that are only added at the end don't count. */
  readonly epoch: number;
  /** Why the search stopped: the expression is invalid or too slow. */
  readonly error?: string;
}

export interface ResultOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  readonly regex: RegexRunner;
}

/** The first report comes after a screenful of matches, or after this time, in milliseconds. */
const screenful = 100;
const firstReport = 40;
/** Time between two reports of one scan, in milliseconds. */
const reportEvery = 100;
/** Delay between two scans of new records, in milliseconds: in a flood, they are scanned a few times per second. */
const pauseBetween = 250;
/** Interval between evaluations of a query with relative times, in milliseconds. */
const relativeEvery = 5000;

/** Keeps the matches of a query up to date, in slices. Reports nothing after `dispose`. */
export class ResultScan {
  /** These two are replaced by each report, never mutated. */
  matches = new Bitmap();
  state: ResultState;
  private readonly cache: LeafCache;
  private readonly subscription: { dispose(): void };
  private evaluation: Evaluation | undefined;
  private key = '';
  private isRunning = false;
  private isDirty = false;
  private isDisposed = false;
  private reportAt = performance.now() + firstReport;
  private hasReported = false;
  /** What the positions in the last report depend on. */
  private reported: { readonly evaluation: Evaluation | undefined; readonly storeEpoch: number } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private error: string | undefined;

  constructor(
    private readonly log: ExplorerLog,
    private readonly query: Query,
    private readonly options: ResultOptions,
    private readonly report: (state: ResultState) => void,
  ) {
    this.cache = log.leaves ??= new LeafCache();
    this.cache.use(this);
    this.state = { total: 0, of: log.store.held, isDone: false, epoch: 0 };
    this.error = errorIn(query);
    this.subscription = log.onDidChange(() => this.update());
    this.update();
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    clearTimeout(this.timer);
    this.cache.release(this);
  }

  /** Checks the store for changes. */
  update(): void {
    this.isDirty = true;
    if (!this.isRunning && !this.isDisposed) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    await otherWork();
    while (this.isDirty && !this.isOver()) {
      this.isDirty = false;
      await this.pass();
      if (!this.isOver()) await quietPause(pauseBetween);
    }
    this.isRunning = false;
  }

  // A method, so that TypeScript doesn't narrow it across the await.
  private isOver(): boolean {
    return this.isDisposed;
  }

  /** Visits all pages with new records. */
  private async pass(): Promise<void> {
    clearTimeout(this.timer);
    if (this.error === undefined) {
      try {
        while (!(await this.visitAll())) if (this.isOver()) return;
      } catch (error) {
        this.error = messageOf(error);
      }
    }
    if (this.isOver()) return;
    this.cache.trim();
    this.publish(true);
    if (isRelative(this.query)) {
      this.timer = quietTimer(() => this.update(), relativeEvery);
    }
  }

  private visitAll(): Promise<boolean> {
    const evaluation = this.prepared();
    return evaluation.visitAll(
      () => this.isDisposed,
      () => this.publishIfDue(evaluation),
    );
  }

  private get now(): number {
    const now = this.options.now();
    return isRelative(this.query) ? Math.floor(now / relativeEvery) * relativeEvery : now;
  }

  /** What the query's times are relative to. */
  get times(): TimeReference {
    return timesOf(this.log, this.now);
  }

  /** Creates a new evaluation if the query's meaning has changed: sessions get titles, and relative times move. */
  private prepared(): Evaluation {
    const plan = planOf(this.query, this.log, this.now);
    const key = planKey(plan);
    if (!this.evaluation || key !== this.key) {
      this.evaluation = new Evaluation(plan, this.log.store, this.cache, this.options.regex);
      this.key = key;
    }
    return this.evaluation;
  }

  /** Later passes are only reported at their end, so that rows don't jump. */
  private publishIfDue(evaluation: Evaluation): void {
    if (this.state.isDone) return;
    const isDue = performance.now() >= this.reportAt;
    if (isDue || (!this.hasReported && evaluation.matches().bits.count >= screenful)) this.publish(false);
  }

  private publish(isDone: boolean): void {
    const { evaluation } = this;
    const { bits, looked } = evaluation?.matches() ?? { bits: new Bitmap(), looked: 0 };
    const storeEpoch = this.log.store.epoch;
    const isMoved =
      !this.state.isDone || evaluation !== this.reported?.evaluation || storeEpoch !== this.reported?.storeEpoch;
    this.matches = bits;
    this.reported = { evaluation, storeEpoch };
    this.hasReported = true;
    this.reportAt = performance.now() + reportEvery;
    this.state = {
      total: bits.count,
      of: Math.max(looked, this.log.store.held),
      isDone,
      epoch: this.state.epoch + (isMoved ? 1 : 0),
      ...(this.error !== undefined && { error: this.error }),
    };
    this.report(this.state);
  }
}
