import type { CompiledQuery } from './compiledQuery';
import type { LineRecord } from './lineRecord';
import { Page } from './page';
import type { LogRecord, RecordDraft } from './record';
import { utf8Room } from './utf8Room';

/** The first page of a session has room for so many records and bytes of lines; each next one for twice as many, up to the second figures. */
const first = { records: 16, bytes: 4 * 1024 };
const full = { records: 1024, bytes: 256 * 1024 };
/** Pages that were emptied and wait to be filled again: a flood makes no garbage of them. */
const maxSpare = 8;

/** Pages of the full size that nobody uses now. */
export class SparePages {
  private readonly pages: Page[] = [];

  take(): Page | undefined {
    return this.pages.pop();
  }

  give(page: Page): void {
    if (page.capacity !== full.records || page.rawCapacity !== full.bytes || this.pages.length >= maxSpare) return;
    page.reset();
    this.pages.push(page);
  }
}

/** The records of one session, oldest first. */
export class Shelf {
  private readonly pages: Page[] = [];
  /** About how much memory they take. */
  bytes = 0;

  constructor(
    private readonly sessionId: string | undefined,
    private readonly spare: SparePages,
  ) {}

  get isEmpty(): boolean {
    return this.pages.length === 0;
  }

  /** Answers how many bytes the record takes. */
  push(seq: number, draft: RecordDraft): number {
    const { raw = '' } = draft;
    const room = utf8Room(raw);
    // A page of its own is made as large as it has to be.
    return this.grown(this.pageFor(room > full.bytes ? Buffer.byteLength(raw) : room).push(seq, draft));
  }

  /** Likewise. */
  pushLine(seq: number, line: LineRecord): number {
    return this.grown(this.pageFor(line.end - line.start).pushLine(seq, line));
  }

  /** Drops the oldest records until so many bytes are free or none is left; answers how many went. */
  dropOldest(bytes: number): number {
    let dropped = 0;
    let left = bytes;
    for (let [page] = this.pages; page && left > 0; [page] = this.pages) {
      const { freed, records } = page.dropOldest(left);
      left -= freed;
      dropped += records;
      this.bytes -= freed;
      if (!page.isEmpty) break;
      this.pages.shift();
      this.spare.give(page);
    }
    return dropped;
  }

  /** What matches, the newest first, until `visit` answers true; only what it asks for is made a record of. */
  search(query: CompiledQuery, visit: (record: () => LogRecord) => boolean): void {
    for (let index = this.pages.length - 1; index >= 0; index--) {
      const page = this.pages[index];
      if (page && page.lastSeq <= query.after) return;
      if (page?.search(query, (at) => visit(() => page.recordAt(at, this.sessionId)))) return;
    }
  }

  /** The newest that match, the newest first, and how many more there are. */
  newest(query: CompiledQuery, limit: number): { readonly records: readonly LogRecord[]; readonly older: number } {
    const records: LogRecord[] = [];
    let older = 0;
    for (let index = this.pages.length - 1; index >= 0; index--) {
      const page = this.pages[index];
      if (page && page.lastSeq <= query.after) break;
      if (records.length >= limit) older += page?.count(query) ?? 0;
      else {
        page?.search(query, (at) => {
          if (records.length < limit) records.push(page.recordAt(at, this.sessionId));
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
    return at < 0 ? undefined : page?.recordAt(at, this.sessionId);
  }

  raw(seq: number): string | undefined {
    const page = this.pageOf(seq);
    const at = page?.find(seq) ?? -1;
    return at < 0 ? undefined : page?.rawAt(at);
  }

  private grown(bytes: number): number {
    this.bytes += bytes;
    return bytes;
  }

  /** The newest page, where a line of so many bytes has room. */
  private pageFor(rawBytes: number): Page {
    const last = this.pages[this.pages.length - 1];
    if (last?.fits(rawBytes) === true) return last;
    const page = this.nextPage(last, rawBytes);
    this.pages.push(page);
    return page;
  }

  private pageOf(seq: number): Page | undefined {
    return this.pages.find(({ lastSeq }) => lastSeq >= seq);
  }

  private nextPage(before: Page | undefined, rawBytes: number): Page {
    const bytes = Math.min(full.bytes, before ? before.rawCapacity * 2 : first.bytes);
    // Long lines are few in a page.
    const most = Math.max(first.records, Math.ceil(bytes / (rawBytes + 1)) * 4);
    const records = Math.min(full.records, most, before ? before.capacity * 2 : first.records);
    const spare = records === full.records && bytes === full.bytes ? this.spare.take() : undefined;
    return spare ?? new Page(records, Buffer.allocUnsafeSlow(Math.max(bytes, rawBytes)));
  }
}
