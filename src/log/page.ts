import type { CompiledQuery } from './compiledQuery';
import { codeCount, codeOf, decoded } from './compiledQuery';
import type { LogRecord, Mutable, RecordDraft } from './record';

const noRaw = -1;
/** A UTF-16 unit has three bytes of UTF-8 at the most. */
const maxBytesPerUnit = 3;
/** What a record takes beside its texts, in bytes, more or less: its columns, and the heads of its strings. */
const overhead = 100;

/** Stands for data that is in the line. */
class DataAt {
  constructor(readonly names: readonly string[]) {}
}

/**
 * A stretch of one session's records, oldest first, in columns: mostly numbers and bytes, which the garbage collector does not look at.
 * As objects they took a quarter of the time of a flood, and nearly none is ever looked at. Data that stands in the line is read from there
 * when it is.
 */
export class Page {
  private readonly seqs: Float64Array;
  private readonly received: Float64Array;
  /** NaN where the agent gave none. */
  private readonly times: Float64Array;
  private readonly codes: Uint8Array;
  /** How many records there are of each code. */
  private readonly counts = new Uint32Array(codeCount);
  private readonly rawStarts: Uint32Array;
  private readonly rawLengths: Int32Array;
  private readonly messages: string[] = [];
  private readonly loggers: (string | undefined)[] = [];
  private readonly data: unknown[] = [];
  private rawUsed = 0;
  /** So many records were put in, and so many of them, the oldest, were let go. */
  private end = 0;
  private start = 0;

  /**
   * @param capacity in records
   * @param raw has room for their lines
   */
  constructor(
    readonly capacity: number,
    private readonly raw: Buffer,
  ) {
    this.seqs = new Float64Array(capacity);
    this.received = new Float64Array(capacity);
    this.times = new Float64Array(capacity);
    this.codes = new Uint8Array(capacity);
    this.rawStarts = new Uint32Array(capacity);
    this.rawLengths = new Int32Array(capacity);
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  /** The number of its newest record; 0 when it never had one. */
  get lastSeq(): number {
    return this.end === 0 ? 0 : (this.seqs[this.end - 1] ?? 0);
  }

  /** In bytes. */
  get rawCapacity(): number {
    return this.raw.length;
  }

  /** Whether there is room for one more, with a line of so many UTF-16 units. */
  fits(rawLength: number): boolean {
    return this.end < this.capacity && this.raw.length - this.rawUsed >= rawLength * maxBytesPerUnit;
  }

  /** Takes a record that fits; answers how many bytes it takes. */
  push(record: LogRecord, { raw, dataAt }: Pick<RecordDraft, 'raw' | 'dataAt'>, logger: string | undefined): number {
    const at = this.end++;
    this.seqs[at] = record.seq;
    this.received[at] = record.receivedAt;
    this.times[at] = record.time ?? NaN;
    const code = codeOf(record.level, record.kind);
    this.codes[at] = code;
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    this.rawStarts[at] = this.rawUsed;
    this.rawLengths[at] = raw === undefined ? noRaw : this.raw.write(raw, this.rawUsed);
    if (raw !== undefined) this.rawUsed += this.rawLengths[at] ?? 0;
    this.messages.push(record.message);
    this.loggers.push(logger);
    this.data.push(record.data !== undefined && dataAt && raw !== undefined ? new DataAt(dataAt) : record.data);
    return this.bytesOf(at);
  }

  /** Lets go of the oldest until so many bytes are free, or none is left. */
  dropOldest(bytes: number): { readonly freed: number; readonly records: number } {
    const before = this.start;
    let freed = 0;
    for (; freed < bytes && this.start < this.end; this.start++) {
      freed += this.bytesOf(this.start);
      const code = this.codes[this.start] ?? 0;
      this.counts[code] = (this.counts[code] ?? 0) - 1;
      this.messages[this.start] = '';
      this.data[this.start] = undefined;
    }
    return { freed, records: this.start - before };
  }

  /** Makes it as new. */
  reset(): void {
    this.messages.length = 0;
    this.loggers.length = 0;
    this.data.length = 0;
    this.counts.fill(0);
    this.rawUsed = this.start = this.end = 0;
  }

  /** How many match. */
  count(query: CompiledQuery): number {
    let count = 0;
    if (query.text || query.since > -Infinity) this.search(query, () => (count++, false));
    else for (let code = 0; code < codeCount; code++) if (query.wanted[code] === 1) count += this.counts[code] ?? 0;
    return count;
  }

  /** The places of those that match, the newest first, until `visit` answers true; answers whether it did. */
  search({ wanted, since, text }: CompiledQuery, visit: (at: number) => boolean): boolean {
    for (let at = this.end - 1; at >= this.start; at--) {
      if (wanted[this.codes[at] ?? 0] !== 1 || (this.received[at] ?? 0) < since) continue;
      if (text && !text.has(this.messages[at] ?? '', this.loggers[at])) continue;
      if (visit(at)) return true;
    }
    return false;
  }

  /** The place of that record: a binary search, as they are in order of their number. -1 for one that is not here. */
  find(seq: number): number {
    let low = this.start;
    let high = this.end - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = this.seqs[middle] ?? 0;
      if (at === seq) return middle;
      if (at < seq) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  recordAt(at: number, sessionId: string | undefined): LogRecord {
    const time = this.times[at] ?? NaN;
    const logger = this.loggers[at];
    const data = this.dataAt(at);
    const record: Mutable<LogRecord> = {
      seq: this.seqs[at] ?? 0,
      receivedAt: this.received[at] ?? 0,
      ...decoded(this.codes[at] ?? 0),
      message: this.messages[at] ?? '',
    };
    if (!Number.isNaN(time)) record.time = time;
    if (sessionId !== undefined) record.sessionId = sessionId;
    if (logger !== undefined) record.logger = logger;
    if (data !== undefined) record.data = data;
    return record;
  }

  rawAt(at: number): string | undefined {
    const [start = 0, length = noRaw] = [this.rawStarts[at], this.rawLengths[at]];
    return length === noRaw ? undefined : this.raw.toString('utf8', start, start + length);
  }

  private dataAt(at: number): unknown {
    const data = this.data[at];
    return data instanceof DataAt ? valueAt(this.rawAt(at) ?? '', data.names) : data;
  }

  /** A line in bytes, a text by its UTF-16 units, and data that is kept beside its line about as large as that. */
  private bytesOf(at: number): number {
    const raw = Math.max(0, this.rawLengths[at] ?? 0);
    const data = this.data[at];
    const dataBytes = data === undefined || data instanceof DataAt ? 0 : raw;
    return (this.messages[at] ?? '').length * 2 + raw + dataBytes + overhead;
  }
}

function valueAt(json: string, names: readonly string[]): unknown {
  try {
    // Some programs on Windows begin their output with a byte order mark.
    let value = JSON.parse(json.replace(/^\ufeff/, '')) as unknown;
    for (const name of names) value = (value as Readonly<Record<string, unknown>> | null)?.[name];
    return value;
  } catch {
    return undefined;
  }
}
