import { codeCount, wantedAfter } from '../log/compiledQuery';
import type { LogRecord } from '../log/record';
import type { RecordPage, RecordStore } from '../log/store';

const everything = new Uint8Array(codeCount).fill(1);

/** What one slice of the wire changed. To be looked at when it is told of: later its records may be gone from memory. */
export class RunLogChange {
  private all: readonly LogRecord[] | undefined;

  /**
   * @param after its records are those with a higher number
   * @param groups the sessions that have new records, or whose open requests and their progress, titles, modes or ends changed; `undefined` is the connection
   * @param sessionsAdded whether there are sessions that were not there before
   */
  constructor(
    private readonly store: RecordStore,
    private readonly after: number,
    readonly groups: ReadonlySet<string | undefined>,
    readonly sessionsAdded: boolean,
  ) {
    this.count = store.lastSeq - after;
  }

  /** How many records have come. */
  readonly count: number;

  /** In order of arrival. They are made when somebody asks for them: in a flood better look at few of them. */
  get records(): readonly LogRecord[] {
    if (this.count === 0) return [];
    return (this.all ??= this.newest(everything, Infinity).records);
  }

  /**
   * The newest of those that came, in order of arrival, and how many older ones there are.
   * @param wanted levels and kinds, as `wantedCodes` makes it
   */
  newest(wanted: Uint8Array, limit: number): RecordPage {
    const query = wantedAfter(wanted, this.after);
    const pages = this.count === 0 ? [] : [...this.groups].map((id) => this.store.newest(id, limit, query));
    const records = pages.flatMap((page) => page.records).sort((a, b) => a.seq - b.seq);
    const older = pages.reduce((sum, page) => sum + page.older, 0);
    const extra = Math.max(0, records.length - limit);
    return { records: records.slice(extra), older: older + extra };
  }
}
