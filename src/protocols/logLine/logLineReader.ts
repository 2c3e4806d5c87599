import type { ByteChunk } from '../../log/bytes/byteChunk';
import { ByteText } from '../../log/bytes/byteText';
import type { WireMessage } from '../../wire/wireEvent';
import { ByteTexts } from './byteTexts';
import { FieldNames } from './fieldNames';
import { closingQuote, skipSpaces } from './jsonBytes';
import type { ReadValue } from './lineShapes';
import { LineShapes } from './lineShapes';
import { LogLine } from './logLine';
import type { LogField } from './logValues';
import { LogValues } from './logValues';

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
/** Shorter notifications can't contain a message. */
const minBytes = 40;

/**
 * Reads a log notification from the bytes of its line if it has the protocol's usual format, as nearly all lines of a flood do. Anything else
 * (other members, other types, names with escapes, invalid JSON) is left to the interpreter; for the lines that it does read, the result is the
 * same.
 */
export class LogLineReader {
  private readonly line = new LogLine();
  private readonly values = new LogValues(this.line);
  private readonly shapes = new LineShapes();
  private readonly fields: FieldNames<Role>;
  private readonly methods: ByteTexts<string | undefined>;
  /** The current index. */
  private at = 0;
  private end = 0;
  private hasVersion = false;
  private found: ReadValue[] = [];
  /** Cache: the latest message. */
  private last: WireMessage | undefined;
  private isLog = false;

  constructor(form: LogForm) {
    this.fields = new FieldNames(form.fields);
    this.methods = new ByteTexts((text) => (form.methods.has(text) ? text : undefined));
  }

  /**
   * Reads a line from its bytes and marks it as a log message if it is one. A second call for the same line is free.
   * @returns an object that is reused for the next line, or `undefined` if the line has to be parsed
   */
  read(event: WireMessage): LogLine | undefined {
    if (event !== this.last) {
      this.last = event;
      this.isLog = this.readLine(event);
      if (this.isLog) event.isLog = true;
    }
    return this.isLog ? this.line : undefined;
  }

  private readLine({ source, t }: WireMessage): boolean {
    const chunk = source?.chunk;
    if (!chunk) return false;
    const { start, end } = source;
    if (end - start < minBytes || chunk.bytes[start] !== openBrace || source.content === 'other') return false;
    this.line.begin(chunk, start, end, t);
    if (this.readAsBefore(chunk, start, end)) return true;
    this.line.begin(chunk, start, end, t);
    return this.readAnew(chunk, start, end);
  }

  /** Reads only the values of a line that looks like an earlier one. */
  private readAsBefore(chunk: ByteChunk, start: number, end: number): boolean {
    let at = start;
    let step = LineShapes.stepAt(this.shapes.first, chunk, at, end);
    while (step?.field !== undefined) {
      at = this.values.read(chunk, step.field, at + step.gap.length, end);
      if (at < 0) return false;
      step = LineShapes.stepAt(step.next, chunk, at, end);
    }
    if (!step || at + step.gap.length !== end) return false;
    this.line.method = step.method;
    return true;
  }

  private readAnew(chunk: ByteChunk, start: number, end: number): boolean {
    this.at = start;
    this.end = end;
    this.hasVersion = false;
    this.found = [];
    if (!this.readObject(chunk, messageFields) || this.at !== end || !this.isWhole) return false;
    this.shapes.learn(chunk, start, end, this.found, this.line.method);
    return true;
  }

  /** Whether all required members are present. */
  private get isWhole(): boolean {
    const hasLevel = this.found.some(({ field }) => field === 'level');
    return this.hasVersion && hasLevel && this.line.method !== '' && this.line.messageStart >= 0;
  }

  /** Reads an object from its opening brace to its closing one. */
  private readObject(chunk: ByteChunk, names: FieldNames<Role>): boolean {
    const { bytes } = chunk;
    const seen = new Set<Role>();
    for (let at = skipSpaces(bytes, this.at + 1); bytes[at] === quote; at = skipSpaces(bytes, at + 1)) {
      const name = names.at(chunk, at + 1, this.end);
      // With duplicate names, the last would count, so the line is left to the interpreter.
      if (!name || seen.has(name.role)) return false;
      seen.add(name.role);
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
    switch (role) {
      case 'params':
        return chunk.bytes[this.at] === openBrace && this.readObject(chunk, this.fields);
      case 'jsonrpc':
        this.hasVersion = version.isAt(chunk, this.at, this.end);
        this.at += version.length;
        return this.hasVersion;
      case 'method':
        return this.readMethod(chunk);
      default: {
        const start = this.at;
        this.at = this.values.read(chunk, role, start, this.end);
        this.found.push({ field: role, start, end: this.at });
        return this.at >= 0;
      }
    }
  }

  private readMethod(chunk: ByteChunk): boolean {
    const close = closingQuote(chunk, this.at, this.end);
    const method = close < 0 ? undefined : this.methods.get(chunk, this.at + 1, close);
    if (method === undefined) return false;
    this.line.method = method;
    this.at = close + 1;
    return true;
  }
}
