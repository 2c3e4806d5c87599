import type { ByteChunk } from '../../log/bytes/byteChunk';
import { ByteTime } from '../../log/bytes/byteTime';
import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';
import { mayHoldSecret } from '../../log/redact/scan';
import { ByteTexts } from './byteTexts';
import { closingQuote, textOfJson, valueEnd } from './jsonBytes';
import type { LogLine } from './logLine';

/** The meaning of a member of a log notification. */
export type LogField = 'level' | 'logger' | 'sessionId' | 'time' | 'message' | 'data';

interface Name {
  readonly text: string;
  /** Whether it certainly holds no secret and names none. Checked once, and not in each line. */
  readonly isPlain: boolean;
}

const dataAt = ['params', 'data'];
/** The end of a notification. */
const closers = '}}';

/** Reads the values of a log notification into its line. */
export class LogValues {
  private readonly levels = new ByteTexts<Level | undefined>(parseLevel);
  private readonly names = new ByteTexts<Name>((text) => ({ text, isPlain: !mayHoldSecret(`"${text}"`) }));
  private readonly times = new ByteTime();

  constructor(private readonly line: LogLine) {}

  /** Returns the index after the value that starts here, or -1 if it isn't valid. */
  read(chunk: ByteChunk, field: LogField, at: number, end: number): number {
    if (field === 'data') return this.readData(chunk, at, end);
    const close = closingQuote(chunk, at, end);
    return close >= 0 && this.takeText(chunk, field, at + 1, close) ? close + 1 : -1;
  }

  private takeText(chunk: ByteChunk, field: Exclude<LogField, 'data'>, start: number, end: number): boolean {
    const { line } = this;
    if (line.hasEscapes && chunk.hasBackslash(start, end)) {
      return field === 'message' && this.takeEscaped(chunk, start, end);
    }
    switch (field) {
      case 'message':
        line.messageStart = start;
        line.messageEnd = end;
        line.textStart = Math.min(line.textStart, start - 1);
        return true;
      case 'time':
        line.time = this.times.readIso(chunk, start, end);
        return !Number.isNaN(line.time) || this.takeOtherTime(chunk, start, end);
      case 'sessionId':
        line.sessionId = this.readName(chunk, start, end);
        return line.sessionId !== undefined;
      case 'logger':
        line.logger = this.readName(chunk, start, end);
        return line.logger !== undefined;
      case 'level': {
        const level = this.levels.get(chunk, start, end);
        line.level = level ?? line.level;
        return level !== undefined;
      }
    }
  }

  private readName(chunk: ByteChunk, start: number, end: number): string | undefined {
    const name = this.names.get(chunk, start, end);
    if (name?.isPlain === false) this.line.hasPlainNames = false;
    return name?.text;
  }

  /** `Date.parse` skips comments and unknown words, so such a time is searched for secrets like any other text. */
  private takeOtherTime(chunk: ByteChunk, start: number, end: number): boolean {
    const { line } = this;
    line.time = this.times.read(chunk, start, end);
    line.textStart = Math.min(line.textStart, start - 1);
    return !Number.isNaN(line.time);
  }

  private takeEscaped(chunk: ByteChunk, start: number, end: number): boolean {
    const { line } = this;
    line.message = textOfJson(chunk.bytes, start, end);
    line.messageStart = start;
    line.messageEnd = end;
    line.textStart = Math.min(line.textStart, start - 1);
    return line.message !== undefined;
  }

  private readData(chunk: ByteChunk, at: number, end: number): number {
    this.line.dataAt = dataAt;
    this.line.textStart = Math.min(this.line.textStart, at);
    return valueEnd(chunk, at, end, closers);
  }
}
