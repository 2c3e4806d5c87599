import type { CompiledQuery, RecordQuery } from '../query/compiledQuery';
import { compiled, wantedBetween } from '../query/compiledQuery';
import type { LineRecord } from '../text/bytes/lineRecord';
import type { LogRecord, RecordDraft } from '../text/record';
import type { PageFile } from './pageReader';
import type { SpilledPage } from './spilledPage';
import { Spiller } from './spiller';
import type { RecordPage, RecordPlace, StoredColumns } from './sessionRecords';
import { SessionRecords, SpareBlocks } from './sessionRecords';
import { ShortSessionIds } from './shortSessionIds';

/** A page, and the session that it belongs to. */
export interface StoredPage {
  readonly page: StoredColumns;
  readonly sessionId: string | undefined;
}

/** The part of a full store that is freed at once, so that the largest sessions needn't be searched each time. */
const roomAtOnce = 0.1;
/** From this share of the memory on, pages are written to the file. */
const saveFrom = 0.5;
/** Maximum share of the memory for what is kept of pages in the file. */
const spilledShare = 0.5;

/**
 * A run's records in memory, bounded in bytes if the caller calls `makeRoom`. The largest sessions make room for others, so that a flood in one
 * session doesn't displace the records of quiet ones.
 */
export class RecordStore {
  private readonly sessions = new Map<string | undefined, SessionRecords>();
  private readonly spare = new SpareBlocks();
  /** Shortens session IDs in the message and data of every record. Use it for everything else that is shown, too. */
  readonly sessionIds = new ShortSessionIds();
  /** Memory of the sessions, in bytes. */
  private sessionBytes = 0;
  private newestSeq = 0;
  private droppedCount = 0;
  private clearedCount = 0;
  private epochCount = 0;
  private versionCount = 0;

  private spiller: Spiller | undefined;

  /**
   * @param maxBytes maximum memory of the records
   * @param createFile creates a file for records that won't fit into memory; without it, they are dropped
   */
  constructor(
    private readonly maxBytes: number,
    private createFile?: () => PageFile,
  ) {}

  /** The number of the newest record; 0 before the first. */
  get lastSeq(): number {
    return this.newestSeq;
  }

  /** How many records are no longer in memory. */
  get dropped(): number {
    return this.droppedCount;
  }

  /** How many records there are. */
  get held(): number {
    return this.newestSeq - this.droppedCount - this.clearedCount;
  }

  /** Memory allocated for records, used or not. */
  get bytes(): number {
    return this.sessionBytes + this.spare.bytes + this.spilledBytes;
  }

  /** Whether records have to be dropped. */
  get isOverfull(): boolean {
    return this.bytes > this.maxBytes;
  }

  /** Adds a record, as bytes if it has them. Returns its number. */
  append(draft: RecordDraft | LineRecord): number {
    const session = this.session(draft.sessionId);
    const before = session.bytes;
    session.push(++this.newestSeq, draft);
    this.sessionBytes += session.bytes - before;
    return this.newestSeq;
  }

  /** Gives the next record this number. Those that are skipped don't count as dropped. */
  skipTo(seq: number): void {
    this.clearedCount += Math.max(0, seq - 1 - this.newestSeq);
    this.newestSeq = Math.max(this.newestSeq, seq - 1);
  }

  /** A record by its number, if it is in memory. */
  get(seq: number): LogRecord | undefined {
    for (const session of this.sessions.values()) {
      const record = session.get(seq);
      if (record) return record;
    }
    return undefined;
  }

  /** The line (or lines) of the wire that the record was read from. */
  raw(seq: number): string | undefined {
    for (const session of this.sessions.values()) {
      const raw = session.raw(seq);
      if (raw !== undefined) return raw;
    }
    return undefined;
  }

  /** All pages of all sessions, for searches. */
  get pages(): readonly StoredPage[] {
    const all: StoredPage[] = [];
    for (const { sessionId, pages } of this.sessions.values()) for (const page of pages) all.push({ page, sessionId });
    return all;
  }

  /** Changes whenever records are dropped. */
  get epoch(): number {
    return this.epochCount;
  }

  /** Changes whenever a page is freed, even if its records are still in the file. */
  get version(): number {
    return this.versionCount;
  }

  /** The newest matching records of a session, newest first, and how many more there are. */
  newest(sessionId: string | undefined, limit: number, query: CompiledQuery): RecordPage {
    return this.sessions.get(sessionId)?.newest(query, limit) ?? { records: [], older: 0 };
  }

  /** The newest matching records of some or all sessions, in order of arrival, and how many more there are. */
  last(limit: number, query: CompiledQuery, sessions: Iterable<string | undefined> = this.sessions.keys()): RecordPage {
    const pages = Array.from(sessions, (id) => this.newest(id, limit, query));
    const found = pages.flatMap(({ records }) => records).sort((a, b) => a.seq - b.seq);
    const records = found.slice(Math.max(0, found.length - limit));
    return { records, older: pages.reduce((sum, { older }) => sum + older, found.length - records.length) };
  }

  /** How many records have one of these codes (see `wantedCodes`), of all sessions or some. */
  count(codes: Uint8Array, isWanted: (sessionId: string | undefined) => boolean = () => true): number {
    const query = wantedBetween(codes, 0, Infinity);
    let count = 0;
    for (const [id, { pages }] of this.sessions) {
      if (isWanted(id)) for (const page of pages) count += page.countMatches(query);
    }
    return count;
  }

  /**
   * All matching records, in order of arrival. Don't call this for a whole run without a limit: use `RecordPages`.
   * @param maxFileBytes about how much of the file to search, and how much to make records of: older records are left out
   */
  query(query: RecordQuery = {}, maxFileBytes = Infinity): LogRecord[] {
    const { limit = Infinity } = query;
    if (limit <= 0) return [];
    const ids = query.sessionId === undefined ? this.sessions.keys() : [query.sessionId ?? undefined];
    return newestOf(
      Array.from(ids, (id) => this.sessions.get(id)),
      compiled(query),
      limit,
      this.newestSeq,
      maxFileBytes,
    );
  }

  /** Removes the oldest records of the largest sessions from memory until there is room for new ones. */
  makeRoom(): void {
    const spiller = this.spillerIfNeeded();
    if (spiller) this.saveAhead(spiller);
    if (!this.isOverfull) return;
    this.versionCount++;
    if (spiller) this.dropSpilled(spiller.takeExcess(this.maxBytes * spilledShare));
    const target = this.maxBytes * (1 - roomAtOnce) - this.spilledBytes;
    if (this.sessionBytes > target) this.shrinkLargest(target);
    this.spare.shrink(this.maxBytes - this.sessionBytes - this.spilledBytes);
  }

  /** Removes all records, which don't count as dropped. Numbering continues. */
  clear(): void {
    this.epochCount++;
    this.versionCount++;
    this.clearedCount = this.newestSeq - this.droppedCount;
    this.sessions.clear();
    this.spiller?.clear();
    this.spare.shrink(0);
    this.sessionBytes = 0;
  }

  /** Deletes the file, and drops the pages that are only there. */
  closeFile(): void {
    const { spiller } = this;
    this.createFile = undefined;
    if (!spiller) return;
    this.dropSpilled(spiller.takeExcess(0));
    this.spiller = undefined;
    spiller.dispose();
  }

  /** Drops pages that turned out to be unreadable. */
  dropLost(): void {
    if (this.spiller) this.dropSpilled(this.spiller.takeExcess(Infinity));
  }

  private spillerIfNeeded(): Spiller | undefined {
    if (!this.spiller && this.createFile && this.bytes > this.maxBytes * saveFrom) {
      this.spiller = new Spiller(this.createFile());
    }
    return this.spiller;
  }

  private get spilledBytes(): number {
    return this.spiller?.bytes ?? 0;
  }

  /** Writes pages to the file that would have to be dropped soon, and drops those that can't be read. */
  private saveAhead(spiller: Spiller): void {
    this.dropLost();
    const unsecured = this.sessionBytes - spiller.securedBytes;
    const target = (this.maxBytes - this.spilledBytes) * saveFrom;
    if (spiller.isBusy || unsecured <= target) return;
    const { bySize, level } = this.largest(target);
    for (const [, session] of bySize) if (session.bytes > level) session.save(level, spiller);
  }

  private dropSpilled(pages: readonly SpilledPage[]): void {
    if (pages.length === 0) return;
    this.epochCount++;
    this.versionCount++;
    for (const page of pages) {
      const session = this.sessions.get(page.sessionId);
      session?.drop(page);
      this.droppedCount += page.count;
      if (session?.isEmpty !== true) continue;
      this.sessions.delete(page.sessionId);
      this.sessionBytes -= session.bytes;
    }
  }

  /** The sessions by size, and the size to which the largest ones have to shrink. */
  private largest(target: number): {
    bySize: readonly (readonly [string | undefined, SessionRecords])[];
    level: number;
  } {
    const bySize = [...this.sessions].sort(
      ([, a], [, b]) => b.bytes - a.bytes || a.firstSeq - b.firstSeq, // of equal ones, the one with older records first
    );
    const sizes = bySize.map(([, { bytes }]) => bytes);
    return { bySize, level: levelFor(sizes, this.sessionBytes - target) };
  }

  private shrinkLargest(target: number): void {
    const { bySize, level } = this.largest(target);
    for (const [id, session] of bySize) {
      if (this.sessionBytes <= target) return;
      const before = session.bytes;
      const dropped = session.shrink(level, this.spiller);
      if (dropped > 0) this.epochCount++;
      this.droppedCount += dropped;
      this.sessionBytes -= before;
      if (session.isEmpty) this.sessions.delete(id);
      else this.sessionBytes += session.bytes;
    }
  }

  private session(id: string | undefined): SessionRecords {
    const known = this.sessions.get(id);
    if (known) return known;
    const session = new SessionRecords(id, this.spare, this.sessionIds);
    this.sessions.set(id, session);
    if (id !== undefined) this.sessionIds.add(id);
    this.sessionBytes += session.bytes;
    return session;
  }
}

/** How many record numbers to search first for a limited number of records. */
const firstSearched = 4096;
/** A shorter range of record numbers isn't worth searching. */
const leastSearched = 512;

/** The newest matching records of some sessions, in order of arrival. Others don't become objects. */
function newestOf(
  sessions: readonly (SessionRecords | undefined)[],
  query: CompiledQuery,
  limit: number,
  lastSeq: number,
  maxFileBytes: number,
): LogRecord[] {
  const found: RecordPlace[] = [];
  let upTo = lastSeq;
  let left = maxFileBytes;
  let length = Math.max(firstSearched, Math.min(limit, lastSeq));
  while (upTo > query.after && found.length < limit && length >= leastSearched) {
    const part = { ...query, after: Math.max(query.after, upTo - length), upTo };
    const bytes = query.text ? sessions.reduce((sum, session) => sum + (session?.fileBytesOf(part) ?? 0), 0) : 0;
    if (bytes > left) {
      length /= 2;
      continue;
    }
    for (const session of sessions) session?.places(part, (place) => found.push(place));
    upTo = part.after;
    left -= bytes;
    length *= 2;
  }
  const oldest = oldestOf(found, limit, maxFileBytes);
  // Page by page: in the order of arrival, one in the file would be read again for each record if sessions alternate.
  const records = found.flatMap(({ seq, read }) => (seq < oldest ? [] : (read() ?? [])));
  return records.sort((a, b) => a.seq - b.seq);
}

/** The number of the oldest record to read: no more than `limit`, from no more than `maxFileBytes`. */
function oldestOf(found: readonly RecordPlace[], limit: number, maxFileBytes: number): number {
  const seqs = Float64Array.from(found, ({ seq }) => seq).sort();
  const oldest = seqs[Math.max(0, seqs.length - limit)] ?? 0;
  if (maxFileBytes === Infinity) return oldest;
  const newest = found.filter(({ seq }) => seq >= oldest).sort((a, b) => b.seq - a.seq);
  const pages = new Set<StoredColumns>();
  let bytes = 0;
  for (const { seq, page } of newest) {
    if (!pages.has(page)) bytes += page.fileBytes;
    if (bytes > maxFileBytes) return seq + 1;
    pages.add(page);
  }
  return oldest;
}

/** The size to which the largest ones have to shrink so that the total is smaller by `excess`. */
function levelFor(descending: readonly number[], excess: number): number {
  let sum = 0;
  for (const [index, size] of descending.entries()) {
    sum += size;
    const level = (sum - excess) / (index + 1);
    if (level >= (descending[index + 1] ?? 0)) return level;
  }
  return 0;
}
