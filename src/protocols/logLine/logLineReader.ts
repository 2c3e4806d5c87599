import type { ByteChunk } from '../../text/bytes/byteChunk';
import { ByteText } from '../../text/bytes/byteText';
import type { WireMessage } from '../../wire/wireEvent';
import { ByteTexts } from './byteTexts';
import { closingQuote, skipSpaces } from './jsonBytes';
import type { ReadValue } from './lineShapes';
import { LineShapes } from './lineShapes';
import { LogLine } from './logLine';
import type { LogField } from './logValues';
import { LogValues } from './logValues';

interface FieldName<T> {
  readonly role: T;
  /** Includes the closing quotation mark. */
  readonly text: ByteText;
}

/** Finds member names of a JSON object by their bytes. */
class FieldNames<T> {
  private readonly names: readonly FieldName<T>[];

  /** @param roles the meaning of each name */
  constructor(roles: Readonly<Record<string, T>>) {
    this.names = Object.entries(roles).map(([name, role]) => ({ role, text: new ByteText(`${name}"`) }));
  }

  /** The name after an opening quotation mark; `undefined` if unknown. */
  at(chunk: ByteChunk, start: number, end: number): FieldName<T> | undefined {
    return this.names.find(({ text }) => text.isAt(chunk, start, end));
  }
}

type Role = LogField | 'jsonrpc' | 'method' | 'params';

/** The format of a protocol's log notifications. */
export interface LogForm {
  readonly methods: ReadonlySet<string>;
  /** By the protocol's field names. */
  readonly fields: Readonly<Record<string, LogField>>;
}

const [quote, colon, comma, openBrace, closeBrace] = [34, 58, 44, 123, 125];
const messageFields = new FieldNames<Role>({ jsonrpc: 'jsonrpc', method: 'method', params: 'params' });
const version = new ByteText('"2.0"');
const methodBits = 6;
/** Shorter notifications can't contain a message. */
const minBytes = 40;

/**
 * Reads a log notification from the bytes of its line if it has the protocol's usual format, as nearly all lines of a flood do. Anything else
 * (other members, other types, names with escapes, invalid JSON) is left to the interpreter; for the lines that it does read, the result is the
 * same.
 */
export class LogLineReader {
  private readonly values = new LogValues();
  private readonly shapes = new LineShapes();
  private readonly fields: FieldNames<Role>;
  private readonly methods: ByteTexts<string | undefined>;
  /** The current index. */
  private at = 0;
  private hasVersion = false;
  private found: ReadValue[] = [];
  /** Cache: the latest message. */
  private last: WireMessage | undefined;
  private lastLog: LogLine | undefined;

  constructor(form: LogForm) {
    this.fields = new FieldNames(form.fields);
    this.methods = new ByteTexts((text) => (form.methods.has(text) ? text : undefined), methodBits);
  }

  /**
   * Reads a line from its bytes and marks it as a log message if it is one. A second call for the same line is free.
   * @returns `undefined` if the line has to be parsed
   */
  read(event: WireMessage): LogLine | undefined {
    if (event !== this.last) {
      this.last = event;
      this.lastLog = this.readLine(event);
      if (this.lastLog) event.isLog = true;
    }
    return this.lastLog;
  }

  private readLine({ source, t }: WireMessage): LogLine | undefined {
    const chunk = source?.chunk;
    if (!chunk) return undefined;
    const { start, end } = source;
    if (end - start < minBytes || chunk.bytes[start] !== openBrace || source.content === 'other') return undefined;
    const newLine = (): LogLine => new LogLine(chunk, start, end, t, source.hasEscapes);
    return this.readAsBefore(newLine()) ?? this.readAnew(newLine());
  }

  /** Reads only the values of a line that looks like an earlier one. */
  private readAsBefore(line: LogLine): LogLine | undefined {
    const { chunk, start, end } = line;
    let at = start;
    let step = LineShapes.stepAt(this.shapes.first, chunk, at, end);
    while (step?.field !== undefined) {
      at = this.values.read(line, step.field, at + step.gap.length);
      if (at < 0) return undefined;
      step = LineShapes.stepAt(step.next, chunk, at, end);
    }
    if (!step || at + step.gap.length !== end) return undefined;
    line.method = step.method;
    return line;
  }

  private readAnew(line: LogLine): LogLine | undefined {
    const { chunk, start, end } = line;
    this.at = start;
    this.hasVersion = false;
    this.found = [];
    if (!this.readObject(line, messageFields) || this.at !== end || !this.isWhole(line)) return undefined;
    this.shapes.learn(chunk, start, end, this.found, line.method);
    return line;
  }

  /** Whether all required members are present. */
  private isWhole({ method, messageStart }: LogLine): boolean {
    const hasLevel = this.found.some(({ field }) => field === 'level');
    return this.hasVersion && hasLevel && method !== '' && messageStart >= 0;
  }

  /** Reads an object from its opening brace to its closing one. */
  private readObject(line: LogLine, names: FieldNames<Role>): boolean {
    const { chunk, end } = line;
    const { bytes } = chunk;
    const seen = new Set<Role>();
    for (let at = skipSpaces(bytes, this.at + 1); bytes[at] === quote; at = skipSpaces(bytes, at + 1)) {
      const name = names.at(chunk, at + 1, end);
      // With duplicate names, the last would count, so the line is left to the interpreter.
      if (!name || seen.has(name.role)) return false;
      seen.add(name.role);
      at = skipSpaces(bytes, at + 1 + name.text.length);
      if (bytes[at] !== colon) return false;
      this.at = skipSpaces(bytes, at + 1);
      if (!this.readValue(line, name.role)) return false;
      at = skipSpaces(bytes, this.at);
      if (bytes[at] === closeBrace) {
        this.at = at + 1;
        return true;
      }
      if (bytes[at] !== comma) return false;
    }
    return false;
  }

  private readValue(line: LogLine, role: Role): boolean {
    switch (role) {
      case 'params':
        return line.chunk.bytes[this.at] === openBrace && this.readObject(line, this.fields);
      case 'jsonrpc':
        this.hasVersion = version.isAt(line.chunk, this.at, line.end);
        this.at += version.length;
        return this.hasVersion;
      case 'method':
        return this.readMethod(line);
      default: {
        const start = this.at;
        this.at = this.values.read(line, role, start);
        this.found.push({ field: role, start, end: this.at });
        return this.at >= 0;
      }
    }
  }

  private readMethod(line: LogLine): boolean {
    const close = closingQuote(line, this.at);
    const method = close < 0 ? undefined : this.methods.get(line.chunk, this.at + 1, close);
    if (method === undefined) return false;
    line.method = method;
    this.at = close + 1;
    return true;
  }
}
