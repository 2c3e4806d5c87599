import { ByteTime } from '../../text/bytes/byteTime';
import type { Level } from '../../text/level';
import { parseLevel } from '../../text/level';
import { mayHoldSecret } from '../../redact/scan';
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
/** Bits for the few levels, and for the sessions of a large run. */
const [levelBits, nameBits] = [6, 12];
/** The end of a notification. */
const closers = '}}';

/** Reads the values of log notifications into their lines. */
export class LogValues {
  private readonly levels = new ByteTexts<Level | undefined>(parseLevel, levelBits);
  private readonly names = new ByteTexts<Name>((text) => ({ text, isPlain: !mayHoldSecret(`"${text}"`) }), nameBits);
  private readonly times = new ByteTime();

  /** Returns the index after the value that starts here, or -1 if it isn't valid. */
  read(line: LogLine, field: LogField, at: number): number {
    if (field === 'data') return readData(line, at);
    const close = closingQuote(line.chunk, at, line.end);
    return close >= 0 && this.takeText(line, field, at + 1, close) ? close + 1 : -1;
  }

  private takeText(line: LogLine, field: Exclude<LogField, 'data'>, start: number, end: number): boolean {
    const { chunk } = line;
    if (line.hasEscapes && chunk.hasBackslash(start, end)) {
      return field === 'message' && takeEscaped(line, start, end);
    }
    switch (field) {
      case 'message':
        line.messageStart = start;
        line.messageEnd = end;
        line.textStart = Math.min(line.textStart, start - 1);
        return true;
      case 'time':
        line.time = this.times.readIso(chunk, start, end);
        return !Number.isNaN(line.time) || this.takeOtherTime(line, start, end);
      case 'sessionId':
        line.sessionId = this.readName(line, start, end);
        return line.sessionId !== undefined;
      case 'logger':
        line.logger = this.readName(line, start, end);
        return line.logger !== undefined;
      case 'level': {
        const level = this.levels.get(chunk, start, end);
        line.level = level ?? line.level;
        return level !== undefined;
      }
    }
  }

  private readName(line: LogLine, start: number, end: number): string | undefined {
    const name = this.names.get(line.chunk, start, end);
    if (name?.isPlain === false) line.hasPlainNames = false;
    return name?.text;
  }

  /** `Date.parse` skips comments and unknown words, so such a time is searched for secrets like any other text. */
  private takeOtherTime(line: LogLine, start: number, end: number): boolean {
    line.time = this.times.read(line.chunk, start, end);
    line.textStart = Math.min(line.textStart, start - 1);
    return !Number.isNaN(line.time);
  }
}

function takeEscaped(line: LogLine, start: number, end: number): boolean {
  line.message = textOfJson(line.chunk.bytes, start, end);
  line.messageStart = start;
  line.messageEnd = end;
  line.textStart = Math.min(line.textStart, start - 1);
  return line.message !== undefined;
}

function readData(line: LogLine, at: number): number {
  line.dataAt = dataAt;
  line.textStart = Math.min(line.textStart, at);
  return valueEnd(line.chunk, at, line.end, closers);
}
