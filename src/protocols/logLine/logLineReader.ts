import type { ByteChunk } from '../../log/byteChunk';
import type { Level } from '../../log/level';
import { parseLevel } from '../../log/level';
import { ByteTexts } from './byteTexts';
import { ByteTime } from '../../log/byteTime';
import type { FieldName } from './fieldNames';
import { FieldNames } from './fieldNames';
import { closingQuote, skipSpaces, valueEnd } from './jsonBytes';
import { LogLine } from './logLine';

/** What a member of a log notification is. */
export type LogField = 'level' | 'logger' | 'sessionId' | 'time' | 'message' | 'data';
type Role = LogField | 'jsonrpc' | 'method' | 'params';

/** How a protocol's log notifications look. */
export interface LogForm {
  readonly methods: ReadonlySet<string>;
  /** By the names that the protocol has. */
  readonly fields: Readonly<Record<string, LogField>>;
}

const [quote, colon, comma, openBrace, closeBrace] = [34, 58, 44, 123, 125];
const messageFields = new FieldNames<Role>({ jsonrpc: 'jsonrpc', method: 'method', params: 'params' });
/** The beginning of JSON-RPC's version, `"2.0"`. */
const version = Buffer.from('"2.0').readInt32LE();
const dataAt = ['params', 'data'];
/** What closes a notification. */
const closers = '}}';
/** A notification of less cannot have a message. */
const minBytes = 40;

/**
 * Reads a log notification from the bytes of its line where that is as the protocol has it and has no escapes; nearly all that floods is
 * such. Whatever else there is (other members, other types, a message with line breaks, bytes that are no JSON) it leaves to the
 * interpreter, which it agrees with in all that it reads itself.
 */
export class LogLineReader {
  private readonly line = new LogLine();
  private readonly fields: FieldNames<Role>;
  private readonly methods: ByteTexts<string | undefined>;
  private readonly levels = new ByteTexts<Level | undefined>(parseLevel);
  private readonly names = new ByteTexts<string>((text) => text);
  private readonly times = new ByteTime();
  /** Where it reads. */
  private at = 0;
  private end = 0;
  private hasVersion = false;
  private hasLevel = false;

  constructor(form: LogForm) {
    this.fields = new FieldNames(form.fields);
    this.methods = new ByteTexts((text) => (form.methods.has(text) ? text : undefined));
  }

  /**
   * @param chunk has the line from `start` up to `end`, in valid UTF-8
   * @returns what is lent until the next call, or `undefined` where the line has to be read in another way
   */
  read(chunk: ByteChunk, start: number, end: number, receivedAt: number): LogLine | undefined {
    if (end - start < minBytes || chunk.bytes[start] !== openBrace) return undefined;
    const made = chunk.lineBytes(start, end);
    if (made === 'escapes') return undefined;
    this.line.begin(chunk, start, end, receivedAt);
    this.line.isAscii = made === 'ascii';
    this.at = start;
    this.end = end;
    this.hasVersion = this.hasLevel = false;
    return this.readObject(chunk, messageFields) && this.at === end && this.isWhole ? this.line : undefined;
  }

  /** Whether it has all that a log notification must have. */
  private get isWhole(): boolean {
    return this.hasVersion && this.hasLevel && this.line.method !== '' && this.line.messageStart >= 0;
  }

  /** From its opening brace to behind its closing one. */
  private readObject(chunk: ByteChunk, names: FieldNames<Role>): boolean {
    const { bytes } = chunk;
    let seen = 0;
    let name: FieldName<Role> | undefined;
    for (let at = skipSpaces(bytes, this.at + 1); bytes[at] === quote; at = skipSpaces(bytes, at + 1)) {
      name = names.at(chunk, at + 1, this.end, name);
      // Of two of one name the last would count.
      if (!name || (seen & name.bit) !== 0) return false;
      seen |= name.bit;
      at = skipSpaces(bytes, at + 1 + name.text.length);
      if (bytes[at] !== colon) return false;
      this.at = skipSpaces(bytes, at + 1);
      if (!this.readValue(chunk, name.role)) return false;
      at = skipSpaces(bytes, this.at);
      if (bytes[at] === closeBrace) {
        this.at = at + 1;
        return true;
      }
      if (bytes[at] !== comma) return false;
    }
    return false;
  }

  private readValue(chunk: ByteChunk, role: Role): boolean {
    if (role === 'params') return chunk.bytes[this.at] === openBrace && this.readObject(chunk, this.fields);
    if (role === 'data') return this.readData(chunk);
    const close = closingQuote(chunk, this.at, this.end);
    if (close < 0) return false;
    const start = this.at + 1;
    this.at = close + 1;
    return role === 'jsonrpc' ? this.readVersion(chunk, start, close) : this.readText(chunk, role, start, close);
  }

  private readVersion(chunk: ByteChunk, start: number, end: number): boolean {
    this.hasVersion = end - start === 3 && chunk.word(start - 1) === version;
    return this.hasVersion;
  }

  /** A text that is not as it should be is for the interpreter. */
  private readText(
    chunk: ByteChunk,
    role: Exclude<Role, 'data' | 'params' | 'jsonrpc'>,
    start: number,
    end: number,
  ): boolean {
    const { line } = this;
    switch (role) {
      case 'message':
        line.messageStart = start;
        line.messageEnd = end;
        line.textStart = Math.min(line.textStart, start - 1);
        return true;
      case 'time':
        line.time = this.times.read(chunk.bytes, start, end);
        return !Number.isNaN(line.time);
      case 'sessionId':
        line.sessionId = this.names.get(chunk, start, end);
        return line.sessionId !== undefined;
      case 'logger':
        line.logger = this.names.get(chunk, start, end);
        return line.logger !== undefined;
      case 'level': {
        const level = this.levels.get(chunk, start, end);
        line.level = level ?? line.level;
        this.hasLevel = level !== undefined;
        return this.hasLevel;
      }
      case 'method':
        line.method = this.methods.get(chunk, start, end) ?? '';
        return line.method !== '';
    }
  }

  private readData(chunk: ByteChunk): boolean {
    const dataEnd = valueEnd(chunk, this.at, this.end, closers);
    if (dataEnd < 0) return false;
    this.line.dataAt = dataAt;
    this.line.textStart = Math.min(this.line.textStart, this.at);
    this.at = dataEnd;
    return true;
  }
}
