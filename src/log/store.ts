import type { RecordQuery } from './filter';
import { matcher } from './filter';
import type { LogRecord, RecordDraft } from './record';

interface Entry {
  readonly record: LogRecord;
  readonly raw: string | undefined;
  readonly bytes: number;
}

/** The records of one session, oldest first. Dropping from the front is amortized: the array is cut when half of it is gone. */
class Shelf {
  private entries: Entry[] = [];
  private head = 0;
  bytes = 0;

  push(entry: Entry): void {
    this.entries.push(entry);
    this.bytes += entry.bytes;
  }

  get isEmpty(): boolean {
    return this.head === this.entries.length;
  }

  /** Drops the oldest entries until `bytes` are freed or none is left; answers how many went. */
  dropOldest(bytes: number): number {
    const before = this.head;
    let freed = 0;
    while (freed < bytes && this.head < this.entries.length) freed += this.entries[this.head++]?.bytes ?? 0;
    this.bytes -= freed;
    const dropped = this.head - before;
    if (this.head * 2 > this.entries.length) {
      this.entries = this.entries.slice(this.head);
      this.head = 0;
    }
    return dropped;
  }

  *newestFirst(): Generator<Entry> {
    for (let i = this.entries.length - 1; i >= this.head; i--) {
      const entry = this.entries[i];
      if (entry) yield entry;
    }
  }

  /** Entries are in order of their number: a binary search. */
  find(seq: number): Entry | undefined {
    let low = this.head;
    let high = this.entries.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const entry = this.entries[middle];
      if (!entry) return undefined;
      if (entry.record.seq === seq) return entry;
      if (entry.record.seq < seq) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

/** What a page of records left out. */
export interface RecordPage {
  /** The newest first. */
  readonly records: readonly LogRecord[];
  /** How many older ones that match are still in memory. */
  readonly older: number;
}

/**
 * A run's records in memory, bounded in bytes. When it is full the session that takes most makes room, so that one that floods does
 * not push out what a quiet one had to say.
 */
export class RecordStore {
  private readonly shelves = new Map<string | undefined, Shelf>();
  private usedBytes = 0;
  private lastSeq = 0;
  private droppedCount = 0;

  /** @param maxBytes about how much the records may take, as counted by their text */
  constructor(private readonly maxBytes: number) {}

  /** How many records are no longer in memory. */
  get dropped(): number {
    return this.droppedCount;
  }

  /** About how much memory the records take. */
  get bytes(): number {
    return this.usedBytes;
  }

  /** Numbers the record and keeps it. */
  append(draft: RecordDraft): LogRecord {
    const { raw, ...fields } = draft;
    const record: LogRecord = { seq: ++this.lastSeq, ...fields };
    // 2 bytes a UTF-16 unit at most, the parsed data about as large as its text, and the objects themselves.
    const bytes =
      (record.message.length + (raw?.length ?? 0)) * 2 + (record.data === undefined ? 0 : (raw?.length ?? 0)) + 200;
    let shelf = this.shelves.get(record.sessionId);
    if (!shelf) this.shelves.set(record.sessionId, (shelf = new Shelf()));
    shelf.push({ record, raw, bytes });
    this.usedBytes += bytes;
    if (this.usedBytes > this.maxBytes) this.makeRoom();
    return record;
  }

  /** The record of that number, while it is in memory. */
  get(seq: number): LogRecord | undefined {
    return this.entry(seq)?.record;
  }

  /** The line (or lines) of the wire that the record was read from. */
  raw(seq: number): string | undefined {
    return this.entry(seq)?.raw;
  }

  /** The newest records that pass, newest first, and how many more there are. */
  newest(sessionId: string | undefined, limit: number, test: (record: LogRecord) => boolean): RecordPage {
    const records: LogRecord[] = [];
    let older = 0;
    for (const { record } of this.shelves.get(sessionId)?.newestFirst() ?? []) {
      if (!test(record)) continue;
      if (records.length < limit) records.push(record);
      else older++;
    }
    return { records, older };
  }

  /** What matches, in order of arrival. */
  query(query: RecordQuery = {}): LogRecord[] {
    const test = matcher(query);
    const shelves =
      query.sessionId === undefined ? [...this.shelves.values()] : [this.shelves.get(query.sessionId ?? undefined)];
    const found: LogRecord[] = [];
    for (const shelf of shelves) {
      if (!shelf) continue;
      let taken = 0;
      for (const { record } of shelf.newestFirst()) {
        if (taken === query.limit) break;
        if (!test(record)) continue;
        found.push(record);
        taken++;
      }
    }
    found.sort((a, b) => a.seq - b.seq);
    return query.limit === undefined ? found : found.slice(Math.max(0, found.length - query.limit));
  }

  /** Forgets all records; numbers go on. They do not count as dropped. */
  clear(): void {
    this.shelves.clear();
    this.usedBytes = 0;
  }

  private entry(seq: number): Entry | undefined {
    for (const shelf of this.shelves.values()) {
      const entry = shelf.find(seq);
      if (entry) return entry;
    }
    return undefined;
  }

  /** Frees a tenth at once, so that a full store does not search for the largest session at every record. */
  private makeRoom(): void {
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
}
