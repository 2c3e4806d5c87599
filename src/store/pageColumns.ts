import type { Bitmap } from '../query/bitmap';
import type { CompiledQuery } from '../query/compiledQuery';
import { codeCount } from '../query/compiledQuery';
import type { TextTest } from '../query/textTest';
import type { LogRecord } from '../text/record';
import type { NameColumn } from './nameColumn';
import type { ShortSessionIds } from './shortSessionIds';

/** Flags: what a record has besides its message. */
export const hasRaw = 1;
export const hasDataInRaw = 2;
export const hasDataBeside = 4;
/** Above it is what the text is: 0 for anything, else its place in `recordContents` from 1 on. */
export const contentUnit = 8;
const hasData = hasDataInRaw | hasDataBeside;

type Numbers = Float64Array | Uint32Array;

/** The columns of a page, which can be searched without its texts. Records are identified by their index in the page. */
export abstract class PageColumns {
  abstract readonly count: number;
  protected abstract readonly seqs: Numbers;
  /** In milliseconds since `receivedBase`. */
  protected abstract readonly received: Numbers;
  protected abstract readonly receivedBase: number;
  protected abstract readonly codes: Uint8Array;
  /** How many records there are of each code. */
  protected abstract readonly counts: Uint16Array;
  protected abstract readonly loggers: NameColumn;
  protected abstract readonly flags: Uint8Array;

  /** What has to be read from a file for its texts, in bytes. */
  abstract readonly fileBytes: number;

  /** The records from `first` on with this text in the message or the logger, ascending. */
  abstract placesOfText(text: TextTest, first: number): readonly number[];

  /** @param ids are shortened in the message and data, but not for searches */
  abstract recordAt(at: number, sessionId: string | undefined, ids: ShortSessionIds): LogRecord | undefined;

  abstract rawAt(at: number): string | undefined;

  private knownRange: { readonly of: number; readonly first: number; readonly last: number } | undefined;

  /** The number of its oldest record; 0 if it is empty. Unique among pages. */
  get firstSeq(): number {
    return this.count === 0 ? 0 : (this.seqs[0] ?? 0);
  }

  /** The number of its newest record; 0 if it is empty. */
  get lastSeq(): number {
    return this.count === 0 ? 0 : (this.seqs[this.count - 1] ?? 0);
  }

  seqAt(at: number): number {
    return this.seqs[at] ?? 0;
  }

  codeAt(at: number): number {
    return this.codes[at] ?? 0;
  }

  receivedAt(at: number): number {
    return this.receivedBase + (this.received[at] ?? 0);
  }

  loggerAt(at: number): string | undefined {
    return this.loggers.at(at);
  }

  /** How many records there are of a code. */
  countOf(code: number): number {
    return this.counts[code] ?? 0;
  }

  /** The earliest and the latest time of its records, which needn't be in order. */
  get timeRange(): { readonly first: number; readonly last: number } {
    if (this.knownRange?.of === this.count) return this.knownRange;
    let [first, last] = [Infinity, -Infinity];
    for (let at = 0; at < this.count; at++) {
      const time = this.received[at] ?? 0;
      if (time < first) first = time;
      if (time > last) last = time;
    }
    this.knownRange = { of: this.count, first: first + this.receivedBase, last: last + this.receivedBase };
    return this.knownRange;
  }

  /** The index of a record by its number; -1 if it isn't in this page. */
  find(seq: number): number {
    const at = this.firstAfter(seq - 1);
    return at < this.count && this.seqs[at] === seq ? at : -1;
  }

  /** The index of the first record with a higher number. */
  firstAfter(seq: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.seqs[middle] ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many match. */
  countMatches(query: CompiledQuery): number {
    const known = this.countByCode(query);
    if (known !== undefined) return known;
    let count = 0;
    this.search(query, () => (count++, false));
    return count;
  }

  /** Visits the records that match, newest first, until `visit` returns true. Returns whether it did. */
  search(query: CompiledQuery, visit: (at: number) => boolean): boolean {
    const { wanted, since, text, after, upTo } = query;
    const first = this.firstAfter(after);
    const end = this.lastSeq <= upTo ? this.count : this.firstAfter(upTo);
    const { codes } = this;
    const places = text && this.placesOfText(text, first);
    for (let n = (places?.length ?? end - first) - 1; n >= 0; n--) {
      const at = places ? (places[n] ?? 0) : first + n;
      if (wanted[codes[at] ?? 0] !== 1 || at >= end || this.receivedAt(at) < since) continue;
      if (visit(at)) return true;
    }
    return false;
  }

  /** How many match a query without a text; `undefined` if they have to be tested one by one. */
  private countByCode({ wanted, since, text, after, upTo }: CompiledQuery): number | undefined {
    if (text || since !== -Infinity || this.firstSeq <= after || this.lastSeq > upTo) return undefined;
    let count = 0;
    for (let code = 0; code < codeCount; code++) if (wanted[code] === 1) count += this.counts[code] ?? 0;
    return count;
  }

  /** Adds the numbers of all records from `from` up to `end`. */
  markAll(from: number, end: number, into: Bitmap): void {
    if (from >= end) return;
    const [first, last] = [this.seqAt(from), this.seqAt(end - 1)];
    if (last - first === end - 1 - from) into.addRange(first, last);
    else for (let at = from; at < end; at++) into.add(this.seqAt(at));
  }

  /** Likewise, of those with certain codes. */
  markCodes(wanted: Uint8Array, from: number, end: number, into: Bitmap): void {
    let count = 0;
    for (let code = 0; code < codeCount; code++) if (wanted[code] === 1) count += this.counts[code] ?? 0;
    if (count === 0) return;
    if (count === this.count) return this.markAll(from, end, into);
    const { codes, seqs } = this;
    for (let at = from; at < end; at++) if (wanted[codes[at] ?? 0] === 1) into.add(seqs[at] ?? 0);
  }

  /** Likewise, of those received between two times, both included. */
  markTimes(first: number, last: number, from: number, end: number, into: Bitmap): void {
    const range = this.timeRange;
    if (range.first > last || range.last < first) return;
    if (range.first >= first && range.last <= last) return this.markAll(from, end, into);
    for (let at = from; at < end; at++) {
      const time = this.receivedAt(at);
      if (time >= first && time <= last) into.add(this.seqAt(at));
    }
  }

  /** Likewise, of those whose logger passes a test. */
  markLoggers(test: (name: string) => boolean, from: number, end: number, into: Bitmap): void {
    const isWanted = this.loggers.matches(test);
    if (isWanted) for (let at = from; at < end; at++) if (isWanted(at)) into.add(this.seqAt(at));
  }

  /** Likewise, of those with data. */
  markData(from: number, end: number, into: Bitmap): void {
    for (let at = from; at < end; at++) if (((this.flags[at] ?? 0) & hasData) !== 0) into.add(this.seqAt(at));
  }
}
