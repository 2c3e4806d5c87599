import type { SentPosition } from './sentMemory';
import { SpanNumbers } from './spanNumbers';

/** How far a run was sent before, and is now. */
export class RunProgress {
  /** Items that the collector hasn't taken yet. */
  pending = 0;
  /** Whether something of it can't be read, or the collector refused it. */
  isIncomplete = false;
  /** Number of items that the collector took now. */
  sent = 0;
  private readonly spans: SpanNumbers;
  private records: number;
  private more: number;
  /** Number of records that its lines made, once all are read. */
  private fromLines = Infinity;
  private isRead = false;
  /** The number of the last span, if nothing may follow. */
  private lastSpan: number | undefined;

  /**
   * @param stamp last change and size of its files
   * @param before how far it was sent
   */
  constructor(
    readonly key: string,
    private readonly stamp: string,
    before: SentPosition | undefined,
  ) {
    this.records = before?.records ?? 0;
    this.more = before?.stamp === stamp ? before.more : 0;
    this.spans = SpanNumbers.from(before?.spans ?? '');
  }

  get position(): SentPosition {
    const { records, more, stamp, isDone, lastSpan = 0 } = this;
    // Numbers without a span are no gaps then.
    if (isDone) this.spans.add(1, lastSpan);
    return { records, more, spans: this.spans.toString(), stamp, isDone };
  }

  /** Whether something that can be sent wasn't. */
  get isLeft(): boolean {
    return !this.isRead || this.pending > 0 || this.isIncomplete;
  }

  /** Whether all of it was sent, and nothing may follow. */
  get isDone(): boolean {
    return !this.isLeft && this.lastSpan !== undefined;
  }

  /** All lines are read. The records that follow are about what they leave unfinished, which they won't if the session goes on. */
  linesEnd(records: number): void {
    if (this.fromLines === Infinity) this.fromLines = records;
  }

  /** Everything was read. @param lastSpan the highest number of a span, if nothing may follow */
  end(lastSpan?: number): void {
    this.isRead = true;
    this.lastSpan = lastSpan;
  }

  isRecordSent(seq: number): boolean {
    return seq <= (seq > this.fromLines ? this.fromLines + this.more : this.records);
  }

  isSpanSent(number: number): boolean {
    return this.spans.has(number);
  }

  /** Whether a record is one of those that follow the lines. */
  isMore(seq: number): boolean {
    return seq > this.fromLines;
  }

  recordSent(seq: number): void {
    this.taken();
    if (this.isMore(seq)) this.more = seq - this.fromLines;
    else this.records = Math.max(this.records, seq);
  }

  spanSent(number: number): void {
    this.taken();
    this.spans.add(number);
  }

  private taken(): void {
    this.pending--;
    this.sent++;
  }
}
