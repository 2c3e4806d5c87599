import { ByteChunk } from '../text/bytes/byteChunk';
import { codeCount, codeOf, meaningOf } from '../query/compiledQuery';
import { giveDataBeside, giveDataInLine } from './dataInLine';
import { valueBytes } from './heapSize';
import type { LineRecord } from '../text/bytes/lineRecord';
import { NameColumn } from './nameColumn';
import { contentUnit, hasDataBeside, hasDataInRaw, hasRaw, PageColumns } from './pageColumns';
import type { LogRecord, Mutable, RecordDraft, RecordWords } from '../text/record';
import { recordContents } from '../text/record';
import type { ShortSessionIds } from './shortSessionIds';
import { TextColumn } from './textColumn';
import type { TextTest } from '../query/textTest';

/** Measured memory of a page outside its block, in bytes: typed arrays, buffers, name lists. `npm run bench -- store` checks it. */
const overhead = 1800;
/** Per record: three numbers of 8 bytes, two of 4, one of 2, two of 1. */
const columnBytes = 3 * 8 + 2 * 4 + 2 + 2;
const countBytes = Uint16Array.BYTES_PER_ELEMENT * codeCount;
/** A reference in a JavaScript array. */
const referenceBytes = 8;

/** The parts of a page that aren't in its block. */
export interface PageState {
  readonly capacity: number;
  readonly count: number;
  /** Start of the newest line and end of the messages, in the block. */
  readonly rawStart: number;
  readonly messagesEnd: number;
  readonly names: readonly (string | undefined)[];
  readonly data: unknown[];
}

/** A copy of a page's columns, as small as possible. */
export interface CompactColumns {
  readonly seqs: Uint32Array;
  readonly received: Float64Array | Uint32Array;
  readonly receivedBase: number;
  readonly codes: Uint8Array;
  readonly flags: Uint8Array;
  readonly counts: Uint16Array;
  readonly loggers: NameColumn;
  readonly bytes: number;
}

/** Texts one after the other, as UTF-8. */
export interface TextBatch {
  readonly bytes: Uint8Array;
  /** The end of each text. */
  readonly ends: Uint32Array;
}

/** The size of a block for this many records and this many bytes of texts. */
export function blockBytesFor(records: number, texts: number): number {
  // One byte more per record: the separator after its message.
  return countBytes + records * (columnBytes + 1) + texts;
}

/**
 * Some of a session's records, oldest first, in columns of numbers and bytes, which the garbage collector ignores. As objects, they took a
 * quarter of the time of a flood, although nearly none is ever shown. Data that is in the line is read from there on use.
 *
 * Everything is in one block of memory: columns, then messages. Lines are written backwards from the end, so that both share the free space.
 */
export class Page extends PageColumns {
  protected readonly seqs: Float64Array;
  protected readonly received: Float64Array;
  protected readonly receivedBase = 0;
  /** NaN if the agent gave none. */
  private readonly times: Float64Array;
  protected readonly codes: Uint8Array;
  protected readonly counts: Uint16Array;
  /** A line ends where the previous one begins. */
  private readonly rawStarts: Uint32Array;
  private readonly chunk: ByteChunk;
  private readonly messages: TextColumn;
  protected readonly loggers: NameColumn;
  /** The data, or the path to it in the line. */
  private readonly data: unknown[];
  protected readonly flags: Uint8Array;
  private readonly textsStart: number;
  /** Where the newest line begins. */
  private rawStart: number;
  private end: number;
  /** Its memory, used or not, in bytes. */
  bytes: number;
  readonly fileBytes = 0;

  /**
   * @param block memory of any content
   * @param capacity number of records, less than 65,535
   * @param state the state of a page from a file, whose block this is
   */
  constructor(
    readonly block: Buffer,
    private readonly capacity: number,
    state?: PageState,
  ) {
    super();
    let at = block.byteOffset;
    const next = (size: number, count = capacity): [ArrayBufferLike, number, number] => {
      at += size * count;
      return [block.buffer, at - size * count, count];
    };
    this.seqs = new Float64Array(...next(8));
    this.received = new Float64Array(...next(8));
    this.times = new Float64Array(...next(8));
    this.rawStarts = new Uint32Array(...next(4));
    const messageStarts = new Uint32Array(...next(4));
    this.loggers = new NameColumn(new Uint16Array(...next(2)), state?.names, state?.count);
    this.counts = new Uint16Array(...next(2, codeCount));
    if (!state) this.counts.fill(0);
    this.codes = new Uint8Array(...next(1));
    this.flags = new Uint8Array(...next(1));
    this.textsStart = at - block.byteOffset;
    this.rawStart = state?.rawStart ?? block.length;
    this.chunk = new ByteChunk(block);
    this.messages = new TextColumn(this.chunk, messageStarts, state?.messagesEnd ?? this.textsStart, state?.count);
    this.end = state?.count ?? 0;
    this.data = state?.data ?? new Array<unknown>(capacity).fill(undefined);
    this.bytes = overhead + block.length + capacity * referenceBytes;
  }

  /** How many records it has. */
  get count(): number {
    return this.end;
  }

  /** Average size of a record's texts, in bytes. */
  get meanTexts(): number {
    const free = this.rawStart - this.messages.end;
    return this.end === 0 ? 0 : (this.block.length - this.textsStart - free) / this.end;
  }

  /** Whether another record fits whose message and line take this many bytes. */
  fits(texts: number): boolean {
    return this.end < this.capacity && this.rawStart - this.messages.end > texts;
  }

  /** Adds a record that fits. Returns the additional memory, in bytes. */
  push(seq: number, draft: RecordDraft | LineRecord): number {
    return draft.chunk === undefined ? this.pushDraft(seq, draft) : this.pushLine(seq, draft);
  }

  private pushDraft(seq: number, draft: RecordDraft): number {
    const { raw, dataAt, words, time = NaN } = draft;
    const data = words ? { data: draft.data, words } : draft.data;
    const { receivedAt, level, kind } = draft;
    const rawLength = raw === undefined ? 0 : Buffer.byteLength(raw);
    const at = this.begin(seq, receivedAt, codeOf(level, kind), time, rawLength);
    if (raw !== undefined) this.block.write(raw, this.rawStart);
    this.messages.add(draft.message);
    const isInLine = data !== undefined && dataAt !== undefined && raw !== undefined;
    const isBeside = !isInLine && data !== undefined;
    const has = (raw === undefined ? 0 : hasRaw) | (isInLine ? hasDataInRaw : 0) | (isBeside ? hasDataBeside : 0);
    this.flags[at] = has + contentUnit * (draft.content === undefined ? 0 : recordContents.indexOf(draft.content) + 1);
    this.data[at] = isInLine ? dataAt : data;
    return this.grow(this.loggers.add(draft.logger) + (isBeside ? valueBytes(data) : 0));
  }

  private pushLine(seq: number, line: LineRecord): number {
    const at = this.begin(seq, line.receivedAt, codeOf(line.level, line.kind), line.time, line.end - line.start);
    line.chunk.copyTo(this.chunk, this.rawStart, line.start, line.end);
    if (line.message === undefined) this.messages.addBytes(line.chunk, line.messageStart, line.messageEnd);
    else this.messages.add(line.message);
    this.flags[at] = hasRaw | (line.dataAt === undefined ? 0 : hasDataInRaw);
    this.data[at] = line.dataAt;
    return this.grow(this.loggers.add(line.logger));
  }

  /** @param ids are shortened in the message and data, but not for searches */
  override recordAt(at: number, sessionId: string | undefined, ids: ShortSessionIds): LogRecord {
    const { level, kind } = meaningOf(this.codes[at] ?? 0);
    const record: Mutable<LogRecord> = {
      seq: this.seqs[at] ?? 0,
      receivedAt: this.received[at] ?? 0,
      level,
      kind,
      message: ids.inText(this.messages.at(at), sessionId),
    };
    const data = this.data[at];
    if (this.has(hasDataInRaw, at)) {
      giveDataInLine(record, this.rawAt(at) ?? '', data as readonly string[], ids);
    } else if (isWithWords(kind, data)) {
      giveDataBeside(record, data.data, ids);
      Object.defineProperty(record, 'words', { value: ids.inValue(data.words, sessionId) });
    } else if (typeof data === 'object' && data !== null) giveDataBeside(record, data, ids);
    else if (data !== undefined) record.data = ids.inValue(data, sessionId);
    const time = this.times[at] ?? NaN;
    const logger = this.loggers.at(at);
    if (!Number.isNaN(time)) record.time = time;
    if (sessionId !== undefined) record.sessionId = sessionId;
    if (logger !== undefined) record.logger = logger;
    const content = recordContents[Math.floor((this.flags[at] ?? 0) / contentUnit) - 1];
    if (content) Object.defineProperty(record, 'content', { value: content });
    return record;
  }

  override rawAt(at: number): string | undefined {
    if (!this.has(hasRaw, at)) return undefined;
    return this.block.toString('utf8', this.rawStarts[at], at === 0 ? this.block.length : this.rawStarts[at - 1]);
  }

  /** The records from `first` on with this text in the message or the logger, ascending. */
  override placesOfText(text: TextTest, first: number): readonly number[] {
    const inMessages = this.messages.matches(text, first);
    const isInLogger = this.loggers.matches((name) => text.isIn(name));
    if (!isInLogger) return inMessages;
    const found = new Set(inMessages);
    for (let at = first; at < this.end; at++) if (isInLogger(at)) found.add(at);
    return [...found].sort((a, b) => a - b);
  }

  /** Whether a text is in the message or the logger of one record. */
  hasText(text: TextTest, at: number): boolean {
    return text.isIn(this.messages.at(at)) || text.isIn(this.loggers.at(at) ?? '');
  }

  /** Whether a text is in a record's line. */
  hasTextInRaw(text: TextTest, at: number): boolean {
    return this.has(hasRaw, at) && text.isIn(this.rawAt(at) ?? '');
  }

  get state(): PageState {
    const { capacity, end: count, rawStart, data } = this;
    return { capacity, count, rawStart, messagesEnd: this.messages.end, names: this.loggers.allNames, data };
  }

  /** The columns, which can be searched without the texts. */
  get compact(): CompactColumns {
    const { end, timeRange } = this;
    const times = this.received.subarray(0, end);
    const fits = timeRange.last - timeRange.first < 2 ** 32 && times.every(Number.isInteger);
    const received = fits ? Uint32Array.from(times, (time) => time - timeRange.first) : times.slice();
    const loggers = this.loggers.compact(end);
    return {
      seqs: Uint32Array.from(this.seqs.subarray(0, end)),
      received,
      receivedBase: fits ? timeRange.first : 0,
      codes: this.codes.slice(0, end),
      flags: this.flags.slice(0, end),
      counts: this.counts.slice(),
      loggers,
      bytes: end * 6 + received.byteLength + this.counts.byteLength + loggers.bytes,
    };
  }

  /** The records from `first` on with this text in the line, ascending. */
  placesInRaw(text: TextTest, first: number): readonly number[] {
    const found: number[] = [];
    for (let at = first; at < this.end; at++) if (this.hasTextInRaw(text, at)) found.push(at);
    return found;
  }

  /** A copy of some messages, followed by other texts, in UTF-8. */
  textsAt(places: readonly number[], others: readonly string[]): TextBatch {
    const rest = others.map((text) => Buffer.from(text));
    const lengths = [...places.map((at) => this.messages.lengthAt(at)), ...rest.map(({ length }) => length)];
    let end = 0;
    const ends = Uint32Array.from(lengths, (length) => (end += length));
    const bytes = new Uint8Array(end);
    for (const [n, at] of places.entries()) this.messages.copy(at, bytes, (ends[n] ?? 0) - (lengths[n] ?? 0));
    for (const [n, text] of rest.entries()) bytes.set(text, (ends[places.length + n] ?? 0) - text.length);
    return { bytes, ends };
  }

  private has(flag: number, at: number): boolean {
    return ((this.flags[at] ?? 0) & flag) !== 0;
  }

  private begin(seq: number, receivedAt: number, code: number, time: number, rawLength: number): number {
    const at = this.end++;
    this.seqs[at] = seq;
    this.received[at] = receivedAt;
    this.times[at] = time;
    this.codes[at] = code;
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    this.rawStart -= rawLength;
    this.rawStarts[at] = this.rawStart;
    return at;
  }

  private grow(bytes: number): number {
    this.bytes += bytes;
    return bytes;
  }
}

interface DataWithWords {
  readonly data: unknown;
  readonly words: RecordWords;
}

function isWithWords(kind: LogRecord['kind'], data: unknown): data is DataWithWords {
  return kind === 'diagnosis' && typeof data === 'object' && data !== null && 'words' in data;
}
