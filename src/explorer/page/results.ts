import { levels } from '../../text/level';
import { parseQuery } from '../../query/parseQuery';
import type { Query, QueryKey } from '../../query/query';
import type { RecordResult } from '../../matches/recordResult';
import { whenDone } from '../../matches/whenDone';

const failures = parseQuery('is:problem -kind:diagnosis').terms;

/** The results of one filter: what it shows, and what is counted beside it. */
export class Results {
  readonly query: Query;
  readonly main: RecordResult;
  private times: RecordResult | undefined;
  private levels: RecordResult | undefined;
  private failed: RecordResult | undefined;
  private readonly subscription: { dispose(): void };

  constructor(
    readonly q: string,
    private readonly make: (query: Query) => RecordResult,
    onDidChange: () => void,
  ) {
    this.query = parseQuery(q);
    this.main = make(this.query);
    this.subscription = this.main.onDidChange(onDidChange);
  }

  /** Whether the filter can't be used: its expression is invalid or too slow. */
  get hasFailed(): boolean {
    return this.main.state.error !== undefined;
  }

  /** Without `since:` and `until:`, so that the histogram shows what is around a range of time. */
  get withoutTimes(): RecordResult {
    return (this.times ??= this.without(['since', 'until']));
  }

  /** Those of the matches that are the agent's own warnings and errors. */
  get failures(): RecordResult {
    const { terms, hints } = this.query;
    return (this.failed ??= this.make({ terms: [...terms, ...failures], hints }));
  }

  /** Matches by level, whatever levels the filter asks for; `undefined` if the results are disposed of first. */
  async levelCounts(): Promise<readonly number[] | undefined> {
    const result = (this.levels ??= this.without(['level']));
    await whenDone(result);
    const facets = await result.facets('level');
    return facets && levels.map((level) => facets.find(({ value }) => value === level)?.count ?? 0);
  }

  dispose(): void {
    this.subscription.dispose();
    this.main.dispose();
    for (const result of [this.times, this.levels, this.failed]) result?.dispose();
  }

  /** The result without the positive terms of some keys; the main one if there are none. */
  private without(keys: readonly QueryKey[]): RecordResult {
    const terms = this.query.terms.filter(({ key, negated }) => negated || !(keys as readonly string[]).includes(key));
    return terms.length === this.query.terms.length ? this.main : this.make({ terms, hints: this.query.hints });
  }
}
