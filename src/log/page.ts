import { ByteChunk } from './byteChunk';
import type { CompiledQuery } from './compiledQuery';
import { codeCount, codeOf, meaningOf } from './compiledQuery';
import { giveDataInLine } from './dataInLine';
import type { LineRecord } from './lineRecord';
import { NameColumn } from './nameColumn';
import type { LogRecord, Mutable, RecordDraft } from './record';
import { TextColumn } from './textColumn';
import type { TextTest } from './textTest';

const noRaw = -1;
/** What a record takes beside its texts, in bytes, more or less: its columns. */
const overhead = 64;
/** Room for messages, in bytes for each record; more is made where it is needed. */
const textRoom = 48;

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
  private readonly rawChunk: ByteChunk;
  private readonly messages: TextColumn;
  private readonly loggers: NameColumn;
  /** The data, or the names that lead to it in the line. */
  private readonly data: unknown[];
  private readonly isDataInLine: Uint8Array;
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
    this.rawChunk = new ByteChunk(raw);
    this.seqs = new Float64Array(capacity);
    this.received = new Float64Array(capacity);
    this.times = new Float64Array(capacity);
    this.codes = new Uint8Array(capacity);
    this.rawStarts = new Uint32Array(capacity);
    this.rawLengths = new Int32Array(capacity);
    this.isDataInLine = new Uint8Array(capacity);
    this.data = new Array<unknown>(capacity).fill(undefined);
    this.messages = new TextColumn(capacity, capacity * textRoom);
    this.loggers = new NameColumn(capacity);
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

  /** Whether there is room for one more, with a line of so many bytes. */
  fits(rawBytes: number): boolean {
    return this.end < this.capacity && this.raw.length - this.rawUsed >= rawBytes;
  }

  /** Takes a record that fits; answers how many bytes it takes. */
  push(seq: number, draft: RecordDraft): number {
    const { raw, dataAt, data, time = NaN } = draft;
    const at = this.begin(seq, draft, time);
    if (raw === undefined) this.rawLengths[at] = noRaw;
    else this.rawUsed += this.rawLengths[at] = this.raw.write(raw, this.rawUsed);
    this.messages.add(draft.message);
    this.loggers.add(draft.logger);
    const isInLine = data !== undefined && dataAt !== undefined && raw !== undefined;
    this.isDataInLine[at] = isInLine ? 1 : 0;
    this.data[at] = isInLine ? dataAt : data;
    return this.bytesOf(at);
  }

  /** Likewise, from the bytes of its line. */
  pushLine(seq: number, line: LineRecord): number {
    const at = this.begin(seq, line, line.time);
    this.rawLengths[at] = line.end - line.start;
    this.rawUsed = line.chunk.copyTo(this.rawChunk, this.rawUsed, line.start, line.end);
    if (line.message === undefined) this.messages.addBytes(line.chunk, line.messageStart, line.messageEnd);
    else this.messages.add(line.message);
    this.loggers.add(line.logger);
    this.isDataInLine[at] = line.dataAt === undefined ? 0 : 1;
    this.data[at] = line.dataAt;
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
      this.data[this.start] = undefined;
    }
    return { freed, records: this.start - before };
  }

  /** Makes it as new. */
  reset(): void {
    this.messages.reset();
    this.loggers.reset();
    this.data.fill(undefined);
    this.counts.fill(0);
    this.rawUsed = this.start = this.end = 0;
  }

  /** How many match. */
  count(query: CompiledQuery): number {
    let count = 0;
    const { after, upTo } = query;
    const isWhole =
      !query.text && query.since === -Infinity && (this.seqs[this.start] ?? 0) > after && this.lastSeq <= upTo;
    if (!isWhole) this.search(query, () => (count++, false));
    else for (let code = 0; code < codeCount; code++) if (query.wanted[code] === 1) count += this.counts[code] ?? 0;
    return count;
  }

  /** The places of those that match, the newest first, until `visit` answers true; answers whether it did. */
  search(query: CompiledQuery, visit: (at: number) => boolean): boolean {
    const { wanted, since, text, after, upTo } = query;
    const first = this.firstAfter(after);
    const end = this.lastSeq <= upTo ? this.end : this.firstAfter(upTo);
    const { codes, received } = this;
    const places = text && this.placesOf(text, first);
    for (let n = (places?.length ?? end - first) - 1; n >= 0; n--) {
      const at = places ? (places[n] ?? 0) : first + n;
      if (wanted[codes[at] ?? 0] !== 1 || at >= end || (received[at] ?? 0) < since) continue;
      if (visit(at)) return true;
    }
    return false;
  }

  /** The place of that record; -1 for one that is not here. */
  find(seq: number): number {
    const at = this.firstAfter(seq - 1);
    return at < this.end && this.seqs[at] === seq ? at : -1;
  }

  recordAt(at: number, sessionId: string | undefined): LogRecord {
    const { level, kind } = meaningOf(this.codes[at] ?? 0);
    const record: Mutable<LogRecord> = {
      seq: this.seqs[at] ?? 0,
      receivedAt: this.received[at] ?? 0,
      level,
      kind,
      message: this.messages.at(at),
    };
    if (this.isDataInLine[at] === 1) giveDataInLine(record, this.rawAt(at) ?? '', this.data[at] as readonly string[]);
    else if (this.data[at] !== undefined) record.data = this.data[at];
    const time = this.times[at] ?? NaN;
    const logger = this.loggers.at(at);
    if (!Number.isNaN(time)) record.time = time;
    if (sessionId !== undefined) record.sessionId = sessionId;
    if (logger !== undefined) record.logger = logger;
    return record;
  }

  rawAt(at: number): string | undefined {
    const [start = 0, length = noRaw] = [this.rawStarts[at], this.rawLengths[at]];
    return length === noRaw ? undefined : this.raw.toString('utf8', start, start + length);
  }

  private begin(
    seq: number,
    { receivedAt, level, kind }: Pick<LogRecord, 'receivedAt' | 'level' | 'kind'>,
    time: number,
  ): number {
    const at = this.end++;
    this.seqs[at] = seq;
    this.received[at] = receivedAt;
    this.times[at] = time;
    const code = codeOf(level, kind);
    this.codes[at] = code;
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    this.rawStarts[at] = this.rawUsed;
    return at;
  }

  /** Where the text is in the message or the logger, ascending. */
  private placesOf(text: TextTest, first: number): readonly number[] {
    const inMessages = this.messages.matches(text, first);
    const isInLogger = this.loggers.matches(text);
    if (!isInLogger) return inMessages;
    const found = new Set(inMessages);
    for (let at = first; at < this.end; at++) if (isInLogger(at)) found.add(at);
    return [...found].sort((a, b) => a - b);
  }

  /** The first place of a record with a higher number: a binary search, as they are in order. */
  private firstAfter(seq: number): number {
    let [low, high] = [this.start, this.end];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.seqs[middle] ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Texts in bytes, and data that is kept beside its line about as large as that. */
  private bytesOf(at: number): number {
    const raw = Math.max(0, this.rawLengths[at] ?? 0);
    const dataBytes = this.data[at] === undefined || this.isDataInLine[at] === 1 ? 0 : raw;
    return this.messages.lengthAt(at) + raw + dataBytes + overhead;
  }
}
