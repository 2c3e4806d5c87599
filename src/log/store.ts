import type { CompiledQuery } from './compiledQuery';
import { compiled } from './compiledQuery';
import type { RecordQuery } from './filter';
import type { LogRecord, RecordDraft } from './record';
import { numbered } from './record';
import { Shelf, SparePages } from './shelf';

/** Loggers are few, and every message brings a copy of its own: of so many one copy each is kept, if they are no longer than this. */
const maxLoggers = 1000;
const maxLoggerLength = 200;

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
  private readonly spare = new SparePages();
  private readonly loggers = new Map<string, string>();
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
    if (!shelf) this.shelves.set(record.sessionId, (shelf = new Shelf(record.sessionId, this.spare)));
    const before = shelf.bytes;
    shelf.push(record, draft, record.logger === undefined ? undefined : this.loggerOf(record.logger));
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

  /** The newest records that match, newest first, and how many more there are. */
  newest(sessionId: string | undefined, limit: number, query: CompiledQuery): RecordPage {
    return this.shelves.get(sessionId)?.newest(query, limit) ?? { records: [], older: 0 };
  }

  /** What matches, in order of arrival. */
  query(query: RecordQuery = {}): LogRecord[] {
    const { limit = Infinity } = query;
    if (limit <= 0) return [];
    const shelves =
      query.sessionId === undefined ? [...this.shelves.values()] : [this.shelves.get(query.sessionId ?? undefined)];
    const asked = compiled(query);
    const found: LogRecord[] = [];
    for (const shelf of shelves) {
      const enough = found.length + limit;
      shelf?.search(asked, (record) => found.push(record()) >= enough);
    }
    found.sort((a, b) => a.seq - b.seq);
    return limit === Infinity ? found : found.slice(Math.max(0, found.length - limit));
  }

  /** Forgets all records; numbers go on. They do not count as dropped. */
  clear(): void {
    this.shelves.clear();
    this.usedBytes = 0;
  }

  private loggerOf(logger: string): string {
    const known = this.loggers.get(logger);
    if (known !== undefined) return known;
    if (this.loggers.size < maxLoggers && logger.length <= maxLoggerLength) this.loggers.set(logger, logger);
    return logger;
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
