import type { CompiledQuery } from './compiledQuery';
import { compiled } from './compiledQuery';
import type { RecordQuery } from './filter';
import type { LineRecord } from './lineRecord';
import type { LogRecord, RecordDraft } from './record';
import { Shelf, SparePages } from './shelf';

/** The newest of what matches. */
export interface RecordPage {
  readonly records: readonly LogRecord[];
  /** How many older ones that match are still in memory. */
  readonly older: number;
}

/**
 * A run's records in memory, bounded in bytes whenever whoever fills it calls `makeRoom`. When it is full the session that takes most makes
 * room, so that one that floods does not push out what a quiet one had to say.
 */
export class RecordStore {
  private readonly shelves = new Map<string | undefined, Shelf>();
  private readonly spare = new SparePages();
  private usedBytes = 0;
  private newestSeq = 0;
  private droppedCount = 0;

  /** @param maxBytes about how much the records may take, as counted by their text */
  constructor(private readonly maxBytes: number) {}

  /** The number of the newest record; 0 before the first. */
  get lastSeq(): number {
    return this.newestSeq;
  }

  /** How many records are no longer in memory. */
  get dropped(): number {
    return this.droppedCount;
  }

  /** About how much memory the records take. */
  get bytes(): number {
    return this.usedBytes;
  }

  /** Whether some records have to go. */
  get isOverfull(): boolean {
    return this.usedBytes > this.maxBytes;
  }

  /** Numbers the record and keeps it; answers its number. */
  append(draft: RecordDraft): number {
    this.usedBytes += this.shelf(draft.sessionId).push(++this.newestSeq, draft);
    return this.newestSeq;
  }

  /** Likewise, from the bytes of its line. */
  appendLine(line: LineRecord): number {
    this.usedBytes += this.shelf(line.sessionId).pushLine(++this.newestSeq, line);
    return this.newestSeq;
  }

  /** The record of that number, while it is in memory. */
  get(seq: number): LogRecord | undefined {
    for (const shelf of this.shelves.values()) {
      const record = shelf.get(seq);
      if (record) return record;
    }
    return undefined;
  }

  /** The line (or lines) of the wire that the record was read from. */
  raw(seq: number): string | undefined {
    for (const shelf of this.shelves.values()) {
      const raw = shelf.raw(seq);
      if (raw !== undefined) return raw;
    }
    return undefined;
  }

  /** The newest records that match, newest first, and how many more there are. */
  newest(sessionId: string | undefined, limit: number, query: CompiledQuery): RecordPage {
    return this.shelves.get(sessionId)?.newest(query, limit) ?? { records: [], older: 0 };
  }

  /** The newest records that match, of some sessions or all, in order of arrival, and how many older ones do. */
  last(limit: number, query: CompiledQuery, sessions: Iterable<string | undefined> = this.shelves.keys()): RecordPage {
    const pages = Array.from(sessions, (id) => this.newest(id, limit, query));
    const found = pages.flatMap(({ records }) => records).sort((a, b) => a.seq - b.seq);
    const records = found.slice(Math.max(0, found.length - limit));
    return { records, older: pages.reduce((sum, { older }) => sum + older, found.length - records.length) };
  }

  /** What matches, in order of arrival. */
  query(query: RecordQuery = {}): LogRecord[] {
    const { limit = Infinity } = query;
    if (limit <= 0) return [];
    const ids = query.sessionId === undefined ? this.shelves.keys() : [query.sessionId ?? undefined];
    const asked = compiled(query);
    const found: LogRecord[] = [];
    for (const id of ids) {
      const enough = found.length + limit;
      this.shelves.get(id)?.search(asked, (record) => found.push(record()) >= enough);
    }
    found.sort((a, b) => a.seq - b.seq);
    return limit === Infinity ? found : found.slice(Math.max(0, found.length - limit));
  }

  /** Lets the oldest records go until there is room: a tenth at once, so that a full store does not search for the largest session each time. */
  makeRoom(): void {
    if (!this.isOverfull) return;
    const target = this.maxBytes * 0.9;
    while (this.usedBytes > target) {
      let largest: [string | undefined, Shelf] | undefined;
      for (const entry of this.shelves) if (!largest || entry[1].bytes > largest[1].bytes) largest = entry;
      if (!largest) return;
      const [sessionId, shelf] = largest;
      const before = shelf.bytes;
      this.droppedCount += shelf.dropOldest(Math.min(this.usedBytes - target, this.maxBytes * 0.05));
      this.usedBytes -= before - shelf.bytes;
      if (shelf.isEmpty) this.shelves.delete(sessionId);
    }
  }

  /** Forgets all records; numbers go on. They do not count as dropped. */
  clear(): void {
    this.shelves.clear();
    this.usedBytes = 0;
  }

  private shelf(sessionId: string | undefined): Shelf {
    const known = this.shelves.get(sessionId);
    if (known) return known;
    const shelf = new Shelf(sessionId, this.spare);
    this.shelves.set(sessionId, shelf);
    return shelf;
  }
}
