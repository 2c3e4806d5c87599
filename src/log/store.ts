import type { RecordQuery } from './filter';
import { matcher } from './filter';
import type { LogRecord, RecordDraft } from './record';
import { numbered } from './record';

/**
 * The records of one session, oldest first, and their lines beside them. Dropping from the front is amortized: the arrays are cut when half
 * of them is gone.
 */
class Shelf {
  private records: (LogRecord | undefined)[] = [];
  private raws: (string | undefined)[] = [];
  private head = 0;
  bytes = 0;

  push(record: LogRecord, raw: string | undefined): void {
    this.records.push(record);
    this.raws.push(raw);
    this.bytes += bytesOf(record, raw);
  }

  get isEmpty(): boolean {
    return this.head === this.records.length;
  }

  /** Drops the oldest records until `bytes` are freed or none is left; answers how many went. */
  dropOldest(bytes: number): number {
    const before = this.head;
    let freed = 0;
    for (; freed < bytes && this.head < this.records.length; this.head++) {
      const record = this.records[this.head];
      if (record) freed += bytesOf(record, this.raws[this.head]);
      // Their memory is free at once.
      this.records[this.head] = undefined;
      this.raws[this.head] = undefined;
    }
    this.bytes -= freed;
    const dropped = this.head - before;
    if (this.head * 2 > this.records.length) {
      this.records = this.records.slice(this.head);
      this.raws = this.raws.slice(this.head);
      this.head = 0;
    }
    return dropped;
  }

  /** The newest first, until `visit` answers true. A generator would take ten times as long as most filters. */
  search(visit: (record: LogRecord) => boolean): void {
    for (let i = this.records.length - 1; i >= this.head; i--) {
      const record = this.records[i];
      if (record && visit(record)) return;
    }
  }

  get(seq: number): LogRecord | undefined {
    return this.records[this.find(seq)];
  }

  raw(seq: number): string | undefined {
    return this.raws[this.find(seq)];
  }

  /** Records are in order of their number: a binary search. -1 for one that is not here. */
  private find(seq: number): number {
    let low = this.head;
    let high = this.records.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = this.records[middle]?.seq ?? 0;
      if (at === seq) return middle;
      if (at < seq) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** 2 bytes a UTF-16 unit at most, the parsed data about as large as its text, and the objects themselves. */
function bytesOf({ message, data }: LogRecord, raw = ''): number {
  return (message.length + raw.length) * 2 + (data === undefined ? 0 : raw.length) + 200;
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
    const record = numbered(draft, ++this.lastSeq);
    let shelf = this.shelves.get(record.sessionId);
    if (!shelf) this.shelves.set(record.sessionId, (shelf = new Shelf()));
    const before = shelf.bytes;
    shelf.push(record, draft.raw);
    this.usedBytes += shelf.bytes - before;
    if (this.usedBytes > this.maxBytes) this.makeRoom();
    return record;
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

  /** The newest records that pass, newest first, and how many more there are. */
  newest(sessionId: string | undefined, limit: number, test: (record: LogRecord) => boolean): RecordPage {
    const records: LogRecord[] = [];
    let older = 0;
    this.shelves.get(sessionId)?.search((record) => {
      if (!test(record)) return false;
      if (records.length < limit) records.push(record);
      else older++;
      return false;
    });
    return { records, older };
  }

  /** What matches, in order of arrival. */
  query(query: RecordQuery = {}): LogRecord[] {
    const test = matcher(query);
    const shelves =
      query.sessionId === undefined ? [...this.shelves.values()] : [this.shelves.get(query.sessionId ?? undefined)];
    const found: LogRecord[] = [];
    for (const shelf of shelves) {
      const enough = found.length + (query.limit ?? Infinity);
      shelf?.search((record) => {
        if (found.length >= enough) return true;
        if (test(record)) found.push(record);
        return false;
      });
    }
    found.sort((a, b) => a.seq - b.seq);
    return query.limit === undefined ? found : found.slice(Math.max(0, found.length - query.limit));
  }

  /** Forgets all records; numbers go on. They do not count as dropped. */
  clear(): void {
    this.shelves.clear();
    this.usedBytes = 0;
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
