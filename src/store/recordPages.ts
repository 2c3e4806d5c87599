import type { LogRecord } from '../text/record';
import { BoundedMap } from '../text/boundedMap';
import { Page } from './page';
import type { SpilledPage } from './spilledPage';
import type { RecordStore, StoredPage } from './store';
import { Slices } from '../time/slices';

/** How many record numbers to look at at once. */
const numbersAtOnce = 200;
/** How many pages to read from the file at the same time, and to keep for the next part: of 256 KiB each at most. */
const readsAtOnce = 4;
const maxKept = 64;

export interface WantedRecords {
  /** 1 for each code of the wanted levels and kinds (see `wantedCodes`); all by default. */
  readonly codes?: Readonly<Uint8Array>;
  /** Tests a record's number and session; all by default. */
  readonly isWanted?: (seq: number, sessionId: string | undefined) => boolean;
}

/**
 * The records of a run, some at a time, with pauses for other work: a run may have a million. Those that are dropped meanwhile are left out, those
 * that arrive aren't included.
 */
export class RecordPages {
  private readonly kept = new BoundedMap<SpilledPage, Page>(maxKept);

  constructor(
    private readonly store: RecordStore,
    private readonly wanted: WantedRecords = {},
  ) {}

  /** From the first record on, or the first one above a number, each part in order of arrival. */
  async *oldestFirst(above = 0): AsyncGenerator<readonly LogRecord[]> {
    const { lastSeq } = this.store;
    const slices = new Slices();
    for (let after = Math.max(above, this.firstSeq - 1); after < lastSeq; after += numbersAtOnce) {
      const records = await this.between(after, Math.min(after + numbersAtOnce, lastSeq));
      yield* slices.parts(records);
      if (slices.isSpent) await slices.next(); // Also where nothing is wanted.
    }
  }

  /** From the last record on, each part in order of arrival. */
  async *newestFirst(): AsyncGenerator<readonly LogRecord[]> {
    const slices = new Slices();
    const { firstSeq } = this;
    for (let upTo = this.store.lastSeq; upTo >= firstSeq; upTo -= numbersAtOnce) {
      const records = await this.between(upTo - numbersAtOnce, upTo);
      yield* slices.parts(records, true);
      if (slices.isSpent) await slices.next();
    }
  }

  /** The newest records, in order of arrival. */
  async newest(limit: number): Promise<readonly LogRecord[]> {
    const parts: (readonly LogRecord[])[] = [];
    let left = limit;
    for await (const records of this.newestFirst()) {
      const part = records.slice(Math.max(0, records.length - left));
      parts.unshift(part);
      left -= part.length;
      if (left <= 0) break;
    }
    return parts.flat();
  }

  /** The number of the oldest record in memory or in the file. */
  private get firstSeq(): number {
    return this.store.pages.reduce(
      (least, { page }) => (page.count > 0 ? Math.min(least, page.firstSeq) : least),
      Infinity,
    );
  }

  /** The wanted records above a number and up to another one, in order of arrival. */
  private async between(after: number, upTo: number): Promise<readonly LogRecord[]> {
    const found: LogRecord[] = [];
    const elsewhere: (() => Promise<void>)[] = [];
    for (const { page, sessionId } of this.store.pages) {
      const places = this.placesIn({ page, sessionId }, after, upTo);
      if (places.length === 0) continue;
      const take = (from: Page | undefined): void => {
        for (const at of places) {
          const record = from?.recordAt(at, sessionId, this.store.sessionIds);
          if (record) found.push(record);
        }
      };
      // Immediately, because the pages in memory may be reused while others are read.
      if (page instanceof Page) take(page);
      else elsewhere.push(async () => take(await this.read(page)));
    }
    for (let at = 0; at < elsewhere.length; at += readsAtOnce) {
      await Promise.all(elsewhere.slice(at, at + readsAtOnce).map((read) => read()));
    }
    return found.sort((a, b) => a.seq - b.seq);
  }

  private async read(page: SpilledPage): Promise<Page | undefined> {
    const read = this.kept.get(page) ?? (await page.read('all'));
    if (read) this.kept.set(page, read);
    return read;
  }

  private placesIn({ page, sessionId }: StoredPage, after: number, upTo: number): readonly number[] {
    if (page.lastSeq <= after || page.firstSeq > upTo) return [];
    const { codes, isWanted } = this.wanted;
    const places: number[] = [];
    const end = page.lastSeq <= upTo ? page.count : page.firstAfter(upTo);
    for (let at = page.firstAfter(after); at < end; at++) {
      if (codes && codes[page.codeAt(at)] !== 1) continue;
      if (isWanted && !isWanted(page.seqAt(at), sessionId)) continue;
      places.push(at);
    }
    return places;
  }
}
