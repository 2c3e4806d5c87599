import { markLength } from '../../text/bytes/byteOrderMark';
import { Line } from '../../text/bytes/line';
import type { StreamReader } from './framing';
import { CutLine, headBytes } from './longLine';
import { wholeLine } from './wholeLine';

/** Lists in which large documents are cut into pieces, and those around them. The outermost list has no name. */
const listNames = new Set([
  '',
  'traceEvents',
  'resourceSpans',
  'resourceLogs',
  'batches',
  'scopeSpans',
  'scopeLogs',
  'instrumentationLibrarySpans',
  'spans',
  'logRecords',
  // By their names in Protocol Buffers.
  ...['resource_spans', 'resource_logs', 'scope_spans', 'scope_logs', 'log_records'],
  'data',
]);
/** Length of a piece, in bytes: little enough to be read at once. */
const pieceBytes = 16 * 1024;
/** Maximum length of what is repeated of each object in the next piece, in bytes. */
const maxRepeated = 4096;
const maxName = 40;
const maxDepth = 500;
const [tab, lineFeed, carriageReturn, space, quote, comma, colon, backslash] = [9, 10, 13, 32, 34, 44, 58, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

/** An object or a list that isn't complete. */
interface Container {
  readonly isList: boolean;
  /** Whether pieces may end between its entries. */
  readonly isCuttable: boolean;
  /** Where it starts, and where what is open in it starts: a name, or a value. */
  start: number;
  child: number;
  /** The name of the member that is open. */
  name: string;
  /** It has a list that may have been cut. */
  hasList: boolean;
}

/**
 * Splits a file into JSON documents, however many lines each has; what isn't JSON is split into lines. Large lists of spans or log records are
 * cut into pieces, each a document of the same form, so that nobody has to hold or parse a whole file.
 */
export class DocumentReader implements StreamReader {
  private bytes = Buffer.alloc(0);
  private length = 0;
  /** Where the document starts that is open, how far it is read, and up to where it repeats what was delivered. */
  private start = 0;
  private at = 0;
  private repeated = 0;
  private containers: Container[] = [];
  private expected: 'value' | 'name' | 'colon' | 'end' = 'value';
  private isInString = false;
  private hasBreak = false;
  /** The list was cut after an entry: the comma after it is left out. */
  private isAfterCut = false;
  /** The document is too long: its beginning, and how much of it was dropped. */
  private dropped: { readonly head: Buffer; bytes: number } | undefined;
  private readonly lines: Line[] = [];
  private cutIn: 'message' | 'list' | undefined;

  /** @param maxBytes longer documents that can't be cut are reported by their beginning */
  constructor(private readonly maxBytes: number) {}

  push(chunk: Buffer): void {
    const kept = this.length - this.start;
    if (kept + chunk.length > this.bytes.length) {
      const more = Buffer.allocUnsafeSlow(2 * (kept + chunk.length));
      this.bytes.copy(more, 0, this.start, this.length);
      this.bytes = more;
    } else this.bytes.copy(this.bytes, 0, this.start, this.length);
    this.move(this.start);
    this.length = kept;
    chunk.copy(this.bytes, this.length);
    this.length += chunk.length;
  }

  next(): Line | undefined {
    while (this.lines.length === 0 && this.at < this.length) {
      if (this.containers.length > 0) this.read();
      else if (!this.begin()) break;
    }
    return this.lines.shift();
  }

  /** The entries so far of a list that goes on: a program may have written them long before the next. */
  pause(): Line | undefined {
    if (this.containers.at(-1)?.isCuttable === true && !this.isInString && this.hasEntries) this.cutList();
    return this.lines.shift();
  }

  end(): Line | undefined {
    const isBetween = this.containers.at(-1)?.isCuttable === true && !this.isInString;
    if (this.containers.length > 0) this.cutIn ??= isBetween && this.containers.length === 1 ? 'list' : 'message';
    if (isBetween && this.hasEntries) {
      // The file ends within its list: a program didn't finish it, as Chrome's format allows.
      this.cutList();
      this.drop(this.length);
    } else if (this.containers.length > 0) this.giveUp();
    const first = this.lines.shift();
    if (first) return first;
    while (this.start < this.length && isSpace(this.bytes[this.start])) this.start++;
    if (this.start < this.length) this.text(this.length);
    return this.lines.shift();
  }

  get cut(): 'message' | 'list' | undefined {
    return this.cutIn;
  }

  /** Whether a document is open. */
  get isOpen(): boolean {
    return this.containers.length > 0;
  }

  /** Starts a document, or delivers a line of text. Returns false if more bytes are needed. */
  private begin(): boolean {
    const { bytes, length } = this;
    let { start } = this;
    while (start < length && isSpace(bytes[start])) start++;
    start += markLength(bytes, start, length);
    this.start = this.at = this.repeated = start;
    if (start === length) return false;
    if (bytes[start] === openBrace || bytes[start] === openBracket) {
      this.read();
      return true;
    }
    const end = bytes.subarray(0, length).indexOf(lineFeed, start);
    if (end < 0 && length - start <= this.maxBytes) return false;
    this.text(end < 0 ? length : end);
    return true;
  }

  /** Reads on in a document, until it or a piece of it is complete. */
  private read(): void {
    while (this.at < this.length) {
      if (this.isInString && !this.readString()) return;
      if (this.at >= this.length) break;
      const byte = this.bytes[this.at] ?? 0;
      const inner = this.containers.at(-1);
      if (byte === comma && inner?.isCuttable === true && this.expected === 'end') {
        if (this.isAfterCut) {
          this.bytes[this.at++] = space;
          this.isAfterCut = false;
          this.expected = 'value';
          continue;
        }
        if (this.at - this.repeated >= pieceBytes && !this.dropped) return this.cutList();
      }
      this.at++;
      if (byte === lineFeed) this.hasBreak = true;
      else if (isSpace(byte)) continue;
      else if (!this.token(byte, inner)) return this.giveUp();
      else if (this.containers.length === 0) return this.complete();
    }
    if (this.dropped) this.dropRead();
    else if (this.length - this.repeated > this.maxBytes) {
      this.dropped = { head: Buffer.from(this.bytes.subarray(this.start, this.start + headBytes)), bytes: 0 };
      this.dropRead();
    }
  }

  /** Reads to the end of a string, or of the bytes. Returns false if it has no end. */
  private readString(): boolean {
    const { bytes, length } = this;
    let { at } = this;
    for (; at < length; at++) {
      const byte = bytes[at];
      // What follows a backslash may be in the next chunk.
      if (byte === backslash) at++;
      else if (byte === quote || byte === lineFeed) break;
    }
    this.at = at;
    if (at >= length) return true;
    if (bytes[at] === lineFeed) {
      this.giveUp();
      return false;
    }
    this.at++;
    this.isInString = false;
    const inner = this.containers.at(-1);
    if (this.expected === 'name' && inner) {
      const isShort = at - inner.child <= maxName && !this.dropped;
      inner.name = isShort ? bytes.toString('latin1', inner.child + 1, at) : '-';
    }
    this.expected = this.expected === 'name' ? 'colon' : 'end';
    return true;
  }

  /** Follows what JSON allows, as far as it decides where values end. Returns false if it isn't JSON. */
  private token(byte: number, inner: Container | undefined): boolean {
    const { expected } = this;
    switch (byte) {
      case openBrace:
      case openBracket:
        if (expected !== 'value' || this.containers.length >= maxDepth) return false;
        this.open(byte === openBracket, inner);
        return true;
      case closeBrace:
      case closeBracket: {
        if (inner?.isList !== (byte === closeBracket) || expected === 'colon') return false;
        this.containers.pop();
        const above = this.containers.at(-1);
        if (inner.isCuttable && above) above.hasList = true;
        this.expected = 'end';
        return true;
      }
      case quote:
        if (expected !== 'value' && expected !== 'name') return false;
        if (inner && expected === 'name') inner.child = this.at - 1;
        this.isInString = true;
        return true;
      case comma:
        this.expected = inner?.isList === true ? 'value' : 'name';
        return expected === 'end';
      case colon:
        this.expected = 'value';
        return expected === 'colon';
      default:
        // A number, or one of JSON's three words.
        if (expected === 'value') this.expected = 'end';
        return expected === 'value' || expected === 'end';
    }
  }

  private open(isList: boolean, inner: Container | undefined): void {
    const start = this.at - 1;
    if (inner) inner.child = start;
    // All lists around it are such lists, too.
    const isNamed = listNames.has(inner?.isList === true ? '-' : (inner?.name ?? ''));
    const isCuttable = isList && isNamed && this.containers.every((one) => !one.isList || one.isCuttable);
    this.containers.push({ isList, isCuttable, start, child: this.at, name: '', hasList: false });
    this.expected = isList ? 'value' : 'name';
  }

  private get hasEntries(): boolean {
    return this.bytes.subarray(this.repeated, this.at).some((byte) => byte !== comma && !isSpace(byte));
  }

  /** Delivers what was read, with an end, and goes on with a document of the same form. */
  private cutList(): void {
    const { bytes, at, start, containers } = this;
    const read = bytes.toString('utf8', start, at);
    const ends = containers.map(({ isList }) => (isList ? ']' : '}')).reverse();
    this.deliver(`${read.replace(/,\s*$/, '')}${ends.join('')}`);
    const parts: Buffer[] = [];
    let length = 0;
    for (const container of containers) {
      const part = this.repeatedOf(container);
      container.start = length;
      length += part.length;
      container.child = length;
      container.hasList = false;
      parts.push(part);
    }
    this.bytes = Buffer.concat([...parts, bytes.subarray(at, this.length)]);
    this.length = this.bytes.length;
    this.start = 0;
    this.at = this.repeated = length;
    this.isAfterCut = this.expected === 'end';
  }

  /** What stands before the open value of a container, without the entries of lists. */
  private repeatedOf({ isList, start, child, name, hasList }: Container): Buffer {
    if (isList) return Buffer.from('[');
    const isWhole = !hasList && child - start <= maxRepeated;
    return isWhole ? Buffer.from(this.bytes.subarray(start, child)) : Buffer.from(`{"${name}":`);
  }

  /** Delivers a document, unless all of it was delivered in pieces. */
  private complete(): void {
    const { bytes, start, at, repeated, dropped } = this;
    if (dropped) this.lines.push(new CutLine(dropped.head, dropped.bytes + at - start, [], undefined));
    else if (repeated === start || !/^[\s\]}]*$/.test(bytes.toString('latin1', repeated, at))) {
      if (this.hasBreak) this.deliver(bytes.toString('utf8', start, at));
      else this.lines.push(lineIn(bytes.subarray(start, at)));
    }
    this.drop(at);
  }

  private deliver(document: string): void {
    // Strings have no line breaks.
    this.lines.push(Line.of(document.replace(/[\r\n][ \t\r\n]*/g, '')));
  }

  /** It isn't JSON: delivers its lines up to here. */
  private giveUp(): void {
    const { bytes, length, repeated, dropped } = this;
    const end = bytes.subarray(0, length).indexOf(lineFeed, Math.min(this.at, length));
    const until = end < 0 ? length : end;
    // Text may begin with a bracket, but hasn't members over several lines.
    if (this.hasBreak && this.containers.some(({ name }) => name !== '')) this.cutIn = 'message';
    if (dropped) this.lines.push(new CutLine(dropped.head, dropped.bytes + until - this.start, [], undefined));
    else {
      for (const line of bytes.toString('utf8', repeated, until).split(/\r?\n/)) {
        if (line.trim() !== '') this.lines.push(Line.of(line));
      }
    }
    this.drop(until);
  }

  private text(end: number): void {
    const { bytes, start } = this;
    const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
    if (last - start > this.maxBytes) {
      this.lines.push(new CutLine(Buffer.from(bytes.subarray(start, start + headBytes)), last - start, [], undefined));
    } else if (last > start) this.lines.push(lineIn(bytes.subarray(start, last)));
    this.drop(end);
  }

  /** Forgets what was read of a document that is too long. */
  private dropRead(): void {
    const read = Math.min(this.at, this.length) - this.start;
    if (this.dropped) this.dropped.bytes += read;
    this.start += read;
    this.repeated = this.start;
  }

  /** Forgets everything up to here: the next document starts. */
  private drop(to: number): void {
    this.start = this.at = this.repeated = to;
    this.containers = [];
    this.expected = 'value';
    this.isInString = this.hasBreak = this.isAfterCut = false;
    this.dropped = undefined;
  }

  private move(by: number): void {
    this.start -= by;
    this.at -= by;
    this.repeated -= by;
    for (const container of this.containers) {
      container.start -= by;
      container.child -= by;
    }
  }
}

function lineIn(bytes: Buffer): Line {
  return wholeLine(Buffer.from(bytes));
}

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;
}

/** Whether to read a file as documents: its first line begins one and doesn't end it, or has no end itself. */
export function beginsDocument(head: Buffer): boolean {
  const start = head.findIndex((byte) => !isSpace(byte));
  const end = head.indexOf(lineFeed, start);
  const reader = new DocumentReader(Infinity);
  reader.push(head.subarray(0, end < 0 ? head.length : end + 1));
  const line = reader.next();
  return reader.isOpen || (end < 0 && line !== undefined);
}
