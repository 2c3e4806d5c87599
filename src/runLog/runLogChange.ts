import { codeCount, everything, wantedBetween } from '../query/compiledQuery';
import type { SettledProblem } from '../diagnosis/diagnosis';
import type { LogRecord } from '../text/record';
import type { RecordPage } from '../store/sessionRecords';
import type { RecordStore } from '../store/store';

/** What changed besides the records. */
interface About {
  /** The sessions that have new records, or whose open requests and their progress, titles, modes, problems or ends changed; `undefined` is the connection. */
  readonly groups: ReadonlySet<string | undefined>;
  /** There are new sessions. */
  readonly sessionsAdded: boolean;
  /** Problems that no longer hold. */
  readonly settled: readonly SettledProblem[];
  /** Number of new records by their code. */
  readonly counts: Readonly<Uint32Array>;
  /** Some of its records are about to be evicted, so that listeners must read them now. */
  readonly isLastLook: boolean;
}

/** The changes in one slice of the wire. Read it before the change that `isLastLook`; after that, its records may be evicted. */
export class RunLogChange implements About {
  readonly groups;
  readonly sessionsAdded;
  readonly settled;
  readonly counts;
  readonly isLastLook;
  private all: readonly LogRecord[] | undefined;

  /**
   * @param after its records have higher numbers
   * @param lastSeq number of its last record
   */
  constructor(
    private readonly store: RecordStore,
    readonly after: number,
    { groups, sessionsAdded, settled, counts, isLastLook }: About,
    private readonly lastSeq = store.lastSeq,
  ) {
    this.groups = groups;
    this.sessionsAdded = sessionsAdded;
    this.settled = settled;
    this.counts = counts;
    this.isLastLook = isLastLook;
    this.count = lastSeq - after;
  }

  /** Number of new records. */
  readonly count: number;

  /** Combines this change with earlier ones, for listeners that poll. */
  since(before: RunLogChange): RunLogChange {
    const about = {
      groups: new Set([...before.groups, ...this.groups]),
      sessionsAdded: before.sessionsAdded || this.sessionsAdded,
      settled: [...before.settled, ...this.settled],
      counts: this.counts.map((count, code) => count + (before.counts[code] ?? 0)),
      isLastLook: this.isLastLook,
    };
    return new RunLogChange(this.store, before.after, about, this.lastSeq);
  }

  /** In order of arrival. Created on demand, so don't read all of them in a flood. */
  get records(): readonly LogRecord[] {
    if (this.count === 0) return [];
    return (this.all ??= this.newest(everything, Infinity).records);
  }

  /** The same as fresh copies, for callers that may change them. */
  get copies(): readonly LogRecord[] {
    return this.newest(everything, Infinity).records;
  }

  /**
   * The newest matching records in order of arrival, and the number of older ones.
   * @param wanted levels and kinds, from `wantedCodes`
   */
  newest(wanted: Uint8Array, limit: number): RecordPage {
    const all = this.countOf(wanted);
    if (limit === 0 || all === 0) return { records: [], older: all };
    // The last few records usually suffice; otherwise read all of the slice.
    const near = this.read(wanted, limit, Math.max(this.after, this.lastSeq - limit * 4));
    const records = near.length < Math.min(limit, all) ? this.read(wanted, limit, this.after) : near;
    return { records, older: all - records.length };
  }

  /** Not by asking the store: that takes as long as there are sessions, for each slice of a flood. */
  private countOf(wanted: Uint8Array): number {
    let sum = 0;
    for (let code = 0; code < codeCount; code++) if (wanted[code] === 1) sum += this.counts[code] ?? 0;
    return sum;
  }

  private read(wanted: Uint8Array, limit: number, after: number): readonly LogRecord[] {
    return this.store.last(limit, wantedBetween(wanted, after, this.lastSeq), this.groups).records;
  }
}
