import { Bitmap } from '../../log/query/bitmap';
import type { Query } from '../../log/query/query';
import { messageOf } from '../humanError';
import type { RunLog } from '../runLog';
import { Evaluation } from './evaluation';
import { LeafCache } from './leaf';
import { isRelative, planKey, planOf } from './plan';
import type { RegexRunner } from './regexRunner';

/** How far a result has come. */
export interface ResultState {
  /** Matches found so far; all of them once it is done. */
  readonly total: number;
  /** Records looked at, of how many. */
  readonly scanned: number;
  readonly of: number;
  readonly isDone: boolean;
  /** Why nothing more is found: an expression that is invalid or too slow. */
  readonly error?: string;
}

export interface ResultOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Settles when other work had its turn. */
  yieldToHost(): Promise<void>;
  readonly regex: RegexRunner;
}

/** Work without a break, in milliseconds: a page may take another one. */
const slice = 3;
/** Time between two reports, in milliseconds. */
const reportEvery = 16;
/** Time between two looks at what came, in milliseconds. */
const pauseBetween = 50;
/** How often a query with relative times is put again, in milliseconds. */
const relativeEvery = 5000;
/** Pages that are looked at together, so that reads from disk overlap. */
const together = 4;

/** Keeps the matches of a query up to date, in slices. Once it is disposed of, it reports nothing. */
export class ResultScan {
  matches = new Bitmap();
  private current: ResultState;
  private readonly cache: LeafCache;
  private readonly subscription: { dispose(): void };
  private evaluation: Evaluation | undefined;
  private key = '';
  private isRunning = false;
  private isDirty = false;
  private isDisposed = false;
  /** Whether the matches were complete once: then what is partial isn't shown. */
  private wasDone = false;
  private reportedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private error: string | undefined;

  constructor(
    private readonly log: RunLog,
    private readonly query: Query,
    private readonly options: ResultOptions,
    private readonly report: (state: ResultState) => void,
  ) {
    this.cache = log.leaves ??= new LeafCache();
    this.cache.use(this);
    this.current = { total: 0, scanned: 0, of: log.store.held, isDone: false };
    const bad = query.hints.find(({ type }) => type === 'badRegex' || type === 'longRegex');
    this.error = bad && (bad.value ?? 'The expression is too long.');
    this.subscription = log.onDidChange(() => this.update());
    this.update();
  }

  get state(): ResultState {
    return this.current;
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    clearTimeout(this.timer);
    this.cache.release(this);
  }

  private update(): void {
    this.isDirty = true;
    if (!this.isRunning && !this.isDisposed) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    await this.options.yieldToHost();
    while (this.isDirty && !this.isOver()) {
      this.isDirty = false;
      await this.pass();
      if (this.wasDone) await pause();
    }
    this.isRunning = false;
  }

  // A method, so that TypeScript doesn't narrow it across the await.
  private isOver(): boolean {
    return this.isDisposed;
  }

  /** Looks at all that was not looked at. */
  private async pass(): Promise<void> {
    clearTimeout(this.timer);
    if (this.error === undefined) {
      try {
        while (!(await this.scan())) if (this.isOver()) return;
      } catch (error) {
        this.error = messageOf(error);
      }
    }
    if (this.isOver()) return;
    this.cache.trim();
    this.publish(true);
    if (isRelative(this.query)) {
      this.timer = setTimeout(() => this.update(), relativeEvery);
      this.timer.unref();
    }
  }

  /** Looks at pages, newest first; answers whether it came to the end. */
  private async scan(): Promise<boolean> {
    const evaluation = this.prepared();
    const pages = evaluation.pending();
    let began = performance.now();
    for (let at = 0; at < pages.length; at += together) {
      await Promise.all(pages.slice(at, at + together).map((page) => evaluation.visit(page)));
      if (this.isOver()) return false;
      if (performance.now() - began >= slice) {
        if (!this.wasDone && performance.now() - this.reportedAt >= reportEvery) this.publish(false);
        await this.options.yieldToHost();
        began = performance.now();
      }
      if (this.isOver() || evaluation.isStale) return false;
    }
    this.log.store.dropLost();
    return !evaluation.isStale;
  }

  /** The evaluation of the query as it is meant now: sessions get titles, and relative times move on. */
  private prepared(): Evaluation {
    const now = isRelative(this.query)
      ? Math.floor(this.options.now() / relativeEvery) * relativeEvery
      : this.options.now();
    const plan = planOf(this.query, this.log, now);
    const key = planKey(plan);
    if (!this.evaluation || key !== this.key) {
      this.evaluation = new Evaluation(plan, this.log.store, this.cache, this.options.regex);
      this.key = key;
    }
    return this.evaluation;
  }

  private publish(isDone: boolean): void {
    const { bits, looked } = this.evaluation?.matches() ?? { bits: new Bitmap(), looked: 0 };
    this.matches = bits;
    this.wasDone ||= isDone;
    this.reportedAt = performance.now();
    this.current = {
      total: bits.count,
      scanned: looked,
      of: Math.max(looked, this.log.store.held),
      isDone,
      ...(this.error !== undefined && { error: this.error }),
    };
    this.report(this.current);
  }
}

/** A flood of records is looked at now and then. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseBetween).unref());
}
