import { ByteTime } from '../../text/bytes/byteTime';
import type { Level } from '../../text/level';
import { parseLevel } from '../../text/level';
import { ByteTexts } from './byteTexts';
import { closingQuote, hasBackslash, textOfJson, valueEnd } from './jsonBytes';
import type { LogLine } from './logLine';

/** The meaning of a member of a log notification. */
export type LogField = 'level' | 'logger' | 'sessionId' | 'time' | 'message' | 'data';

const dataAt = ['params', 'data'];
/** Bits for the few levels, and for the sessions of a large run. */
const [levelBits, nameBits] = [6, 12];
/** The end of a notification. */
const closers = '}}';

/** Reads the values of log notifications into their lines. */
export class LogValues {
  private readonly levels = new ByteTexts<Level | undefined>(parseLevel, levelBits);
  private readonly names = new ByteTexts<string>((text) => text, nameBits);
  private readonly times = new ByteTime();

  /** Returns the index after the value that starts here, or -1 if it isn't valid. */
  read(line: LogLine, field: LogField, at: number): number {
    if (field === 'data') return readData(line, at);
    const close = closingQuote(line, at);
    return close >= 0 && this.takeText(line, field, at + 1, close) ? close + 1 : -1;
  }

  private takeText(line: LogLine, field: Exclude<LogField, 'data'>, start: number, end: number): boolean {
    const { chunk } = line;
    if (line.hasEscapes && hasBackslash(chunk, start, end)) {
      return field === 'message' && takeEscaped(line, start, end);
    }
    switch (field) {
      case 'message':
        line.messageStart = start;
        line.messageEnd = end;
        return true;
      case 'time':
        line.time = this.times.readIso(chunk, start, end);
        return !Number.isNaN(line.time) || this.takeOtherTime(line, start, end);
      case 'sessionId':
        line.sessionId = this.names.get(chunk, start, end);
        return line.sessionId !== undefined;
      case 'logger':
        line.logger = this.names.get(chunk, start, end);
        return line.logger !== undefined;
      case 'level': {
        const level = this.levels.get(chunk, start, end);
        line.level = level ?? line.level;
        return level !== undefined;
      }
    }
  }

  private takeOtherTime(line: LogLine, start: number, end: number): boolean {
    line.time = this.times.read(line.chunk, start, end);
    return !Number.isNaN(line.time);
  }
}

function takeEscaped(line: LogLine, start: number, end: number): boolean {
  line.message = textOfJson(line.chunk.bytes, start, end);
  line.messageStart = start;
  line.messageEnd = end;
  return line.message !== undefined;
}

function readData(line: LogLine, at: number): number {
  line.dataAt = dataAt;
  return valueEnd(line, at, closers);
}
