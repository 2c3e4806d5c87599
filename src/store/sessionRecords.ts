import type { CompiledQuery } from '../query/compiledQuery';
import { textBytes } from './heapSize';
import type { LineRecord } from '../text/bytes/lineRecord';
import { blockBytesFor, Page } from './page';
import type { LogRecord, RecordDraft } from '../text/record';
import { SpilledPage } from './spilledPage';
import type { Spiller } from './spiller';
import type { ShortSessionIds } from './shortSessionIds';

/** Limits on the size of a page's block, in bytes. */
const smallest = 2 * 1024;
const largest = 256 * 1024;
/** Size of a new page relative to its session: pages are freed whole, and the newest is partly unused. */
const share = 1 / 4;
/** Expected size of a record's texts until a page has been filled, in bytes. */
const typicalTexts = 250;
/** Extra columns: a page is full when either its columns or its texts are. */
const spareColumns = 1.06;
/** At least one column for this many bytes of a page, because short lines may follow long ones. */
const bytesPerColumn = 512;
/** Memory of a session without pages, in bytes: this object, its list of pages and its map entry. */
const overhead = 400;

/** Unused blocks of the largest size, which are reused instead of garbage collected. */
export class SpareBlocks {
  private readonly blocks: Buffer[] = [];

  /** Their memory, in bytes. */
  get bytes(): number {
    return this.blocks.length * largest;
  }

  take(): Buffer | undefined {
    return this.blocks.pop();
  }

  give(block: Buffer): void {
    if (block.length === largest) this.blocks.push(block);
  }

  /** Frees blocks until they take at most this many bytes. */
  shrink(bytes: number): void {
    this.blocks.length = Math.max(0, Math.min(this.blocks.length, Math.floor(bytes / largest)));
  }
}

/** The newest matching records. */
export interface RecordPage {
  readonly records: readonly LogRecord[];
  /** How many older matching records are still in memory. */
  readonly older: number;
}

/** A page in memory, or one whose texts are in a file. */
export type StoredColumns = Page | SpilledPage;

/** Where a record is. */
export interface RecordPlace {
  readonly seq: number;
  readonly page: StoredColumns;
  readonly read: () => LogRecord | undefined;
}

/** The records of one session, oldest first. */
export class SessionRecords {
  /** Oldest first. */
  pages: readonly StoredColumns[] = [];
  private textsPerRecord = typicalTexts;
  /** Their memory, used or not, in bytes. */
  bytes: number;

  constructor(
    readonly sessionId: string | undefined,
    private readonly spare: SpareBlocks,
    private readonly ids: ShortSessionIds,
  ) {
    this.bytes = overhead + (sessionId === undefined ? 0 : textBytes(sessionId));
  }

  get isEmpty(): boolean {
    return this.pages.length === 0;
  }

  /** The number of its oldest record; 0 if there is none. */
  get firstSeq(): number {
    return this.pages[0]?.firstSeq ?? 0;
  }

  push(seq: number, draft: RecordDraft | LineRecord): void {
    const page = this.pageFor(textsOf(draft)); // first, because it updates `bytes`
    this.bytes += page.push(seq, draft);
  }

  /**
   * Frees the oldest pages until the session takes at most this many bytes. Pages in the file can still be searched.
   * @returns the number of dropped records
   */
  shrink(bytes: number, spiller: Spiller | undefined): number {
    let dropped = 0;
    const kept: StoredColumns[] = [];
    for (const page of this.pages) {
      if (page instanceof SpilledPage || this.bytes <= bytes) {
        kept.push(page);
        continue;
      }
      this.bytes -= page.bytes;
      const isFree = spiller?.isWriting(page) !== true;
      const spilled = spiller?.spill(page, this.sessionId);
      if (spilled) kept.push(spilled);
      else dropped += page.count;
      if (isFree) this.spare.give(page.block);
    }
    this.pages = kept;
    return dropped;
  }

  /** Writes the pages to the file that `shrink` would free. */
  save(bytes: number, spiller: Spiller): void {
    let left = this.bytes;
    for (const page of this.pages.slice(0, -1)) {
      if (left <= bytes || spiller.isBusy) return;
      if (page instanceof SpilledPage) continue;
      left -= page.bytes;
      if (!spiller.isSecured(page)) void spiller.write(page);
    }
  }

  /** Drops a page that isn't in memory. */
  drop(spilled: SpilledPage): void {
    this.pages = this.pages.filter((page) => page !== spilled);
  }

  /** What has to be read from the file to search the texts of records with these numbers, in bytes. */
  fileBytesOf({ after, upTo }: CompiledQuery): number {
    let bytes = 0;
    for (let index = this.pageIndex(after + 1); index < this.pages.length; index++) {
      const page = this.pages[index];
      if (!page || page.firstSeq > upTo) break;
      bytes += page.fileBytes;
    }
    return bytes;
  }

  /** Visits the places of the records that match, newest first. Records are created only on request. */
  places(query: CompiledQuery, visit: (place: RecordPlace) => void): void {
    for (let index = this.pageIndex(query.upTo); index >= 0; index--) {
      const page = this.pages[index];
      if (!page || page.firstSeq > query.upTo) continue;
      if (page.lastSeq <= query.after) return;
      page.search(query, (at) => {
        visit({ seq: page.seqAt(at), page, read: () => page.recordAt(at, this.sessionId, this.ids) });
        return false;
      });
    }
  }

  /** The newest records that match, newest first, and how many more there are. */
  newest(query: CompiledQuery, limit: number): RecordPage {
    const records: LogRecord[] = [];
    let older = 0;
    for (let index = this.pages.length - 1; index >= 0; index--) {
      const page = this.pages[index];
      if (page && page.lastSeq <= query.after) break;
      if (records.length >= limit) older += page?.countMatches(query) ?? 0;
      else {
        page?.search(query, (at) => {
          const record = records.length < limit ? page.recordAt(at, this.sessionId, this.ids) : undefined;
          if (record) records.push(record);
          else older++;
          return false;
        });
      }
    }
    return { records, older };
  }

  get(seq: number): LogRecord | undefined {
    const page = this.pageOf(seq);
    const at = page?.find(seq) ?? -1;
    return at < 0 ? undefined : page?.recordAt(at, this.sessionId, this.ids);
  }

  raw(seq: number): string | undefined {
    const page = this.pageOf(seq);
    const at = page?.find(seq) ?? -1;
    return at < 0 ? undefined : page?.rawAt(at);
  }

  private pageOf(seq: number): StoredColumns | undefined {
    return this.pages[this.pageIndex(seq)];
  }

  /** The index of the first page that doesn't end before that record. */
  private pageIndex(seq: number): number {
    let [low, high] = [0, this.pages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.pages[middle]?.lastSeq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The newest page, with room for another record whose texts take this many bytes. */
  private pageFor(texts: number): Page {
    const { length } = this.pages;
    // V8 no longer optimizes an access that was once out of bounds.
    const last = length === 0 ? undefined : this.pages[length - 1];
    if (last instanceof Page && last.fits(texts)) return last;
    if (last instanceof Page && last.block.length <= largest) this.textsPerRecord = Math.ceil(last.meanTexts);
    const page = this.newPage(texts);
    this.pages = [...this.pages, page];
    this.bytes += page.bytes;
    return page;
  }

  private newPage(texts: number): Page {
    const size = Math.floor(Math.min(largest, Math.max(smallest, this.bytes * share)));
    const empty = blockBytesFor(0, 0);
    const expected = ((size - empty) / (blockBytesFor(1, this.textsPerRecord) - empty)) * spareColumns;
    const least = Math.ceil(size / bytesPerColumn);
    // A page for one long line.
    if (blockBytesFor(least, texts) > size) return new Page(Buffer.allocUnsafeSlow(blockBytesFor(1, texts)), 1);
    const most = Math.floor((size - blockBytesFor(0, texts)) / (blockBytesFor(1, 0) - empty));
    const capacity = Math.max(least, Math.min(Math.ceil(expected), most));
    const block = size === largest ? this.spare.take() : undefined;
    return new Page(block ?? Buffer.allocUnsafeSlow(size), capacity);
  }
}

/** Size of a record's texts, in bytes. */
function textsOf(draft: RecordDraft | LineRecord): number {
  if (draft.chunk === undefined) {
    return Buffer.byteLength(draft.message) + (draft.raw === undefined ? 0 : Buffer.byteLength(draft.raw));
  }
  const { message, messageStart, messageEnd, start, end } = draft;
  return (message === undefined ? messageEnd - messageStart : Buffer.byteLength(message)) + end - start;
}
