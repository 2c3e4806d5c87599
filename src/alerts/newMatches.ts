import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type { Query, Term } from '../query/query';
import { Evaluation } from '../matches/evaluation';
import { LeafCache } from '../runLog/leaf';
import { planOf } from '../matches/plan';
import type { RegexRunner } from '../store/regexRunner';
import type { RunLog } from '../runLog/runLog';

/** Delay between two searches, in milliseconds: in a flood, records are searched a few times per second, many at once. */
const pauseBetween = 250;

/** The numbers of the first and the newest of some matching records. */
export interface Matches {
  readonly count: number;
  readonly first: number;
  readonly newest: number;
}

export interface NewMatchesOptions {
  /** Only records with higher numbers are searched. */
  readonly after: number;
  /**
   * For a log that is read again from its beginning when its file changes: searches only records that were received after this time, in milliseconds
   * since the epoch.
   */
  readonly since: number | undefined;
  /** Records that never match. */
  readonly ignored: readonly number[];
  readonly regex: RegexRunner;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Searches the new records of a log, like the explorer: page by page, without creating records. */
export class NewMatches {
  private readonly subscription: { dispose(): void };
  private after: number;
  private since: number | undefined;
  private isRunning = false;
  private isDisposed = false;

  /**
   * @param report called after each search that found something
   * @param fail called if the query turns out to be unusable; the search has ended
   */
  constructor(
    private readonly log: RunLog,
    private readonly query: Query,
    private readonly options: NewMatchesOptions,
    private readonly report: (found: Matches) => void,
    private readonly fail: (error: unknown) => void,
  ) {
    this.after = options.after;
    this.since = options.since;
    this.subscription = log.onDidChange(() => this.update());
    this.update();
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
  }

  private update(): void {
    if (!this.isRunning && !this.isOver() && this.log.lastSeq > this.after) void this.run();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    await setImmediate();
    try {
      while (!this.isOver() && this.log.lastSeq > this.after) {
        await this.search();
        if (!this.isOver()) await pause(pauseBetween, undefined, { ref: false });
      }
    } catch (error) {
      this.dispose();
      this.fail(error);
    }
    this.isRunning = false;
  }

  // A method, so that TypeScript doesn't narrow it across the await.
  private isOver(): boolean {
    return this.isDisposed;
  }

  private async search(): Promise<void> {
    const { log, after } = this;
    const upTo = log.lastSeq;
    const newest = newestOf(log);
    const plan = planOf(this.restricted(), log, this.options.now());
    const evaluation = new Evaluation(plan, log.store, new LeafCache(after), this.options.regex);
    while (!(await evaluation.visitAll(() => this.isDisposed))) if (this.isOver()) return;
    this.after = upTo;
    if (this.since !== undefined) this.since = Math.max(this.since, newest);
    const { bits } = evaluation.matches();
    const before = bits.rank(after + 1);
    const count = bits.rank(upTo + 1) - before;
    const first = bits.select(before);
    const last = bits.select(before + count - 1);
    if (count > 0 && first !== undefined && last !== undefined) this.report({ count, first, newest: last });
  }

  /** The query without the records that never match. */
  private restricted(): Query {
    const { query, since, options } = this;
    const range = { start: 0, end: 0 };
    const seqs = options.ignored.filter((seq) => seq > this.after).map((seq) => ({ from: seq, to: seq }));
    const terms: Term[] = [...query.terms];
    if (seqs.length > 0) terms.push({ key: 'seq', values: seqs, negated: true, range });
    if (since !== undefined) terms.push({ key: 'until', values: [{ type: 'date', ms: since }], negated: true, range });
    return { ...query, terms };
  }
}

/** When the newest record was received, in milliseconds since the epoch. */
function newestOf({ connection, sessions }: RunLog): number {
  return Math.max(connection.lastAt, ...sessions.map(({ lastAt }) => lastAt));
}
