import { Line } from '../../text/bytes/line';
import type { LineOptions } from './longLine';
import { LineReader } from './lineReader';
import { headBytes, LongLine } from './longLine';
import { wholeLine } from './wholeLine';

/** A header that announces more than this, in bytes, is treated as text. */
const maxAnnounced = 1024 * 1024 * 1024;
/** The required field, with anything that the program printed before it on the same line. */
const lengthField = /^(.*?)content-length:[ \t]*(\d{1,15})[ \t]*$/is;
/** The optional field; its value can only be UTF-8. */
const typeField = /^content-type:/i;

/** A message that is being read. */
interface Body {
  left: number;
  readonly parts: Buffer[];
  /** Gets the bytes if the message is over the limit. */
  readonly long: LongLine | undefined;
}

/**
 * Reads messages that follow a header with their length (LSP 3.18 "Base Protocol"), in linear time and bounded memory. Text
 * between messages is returned as lines. After a wrong length, reading continues at the next header.
 */
export class ContentLengthReader {
  private readonly lines: LineReader;
  /** The length in the header that is being read. */
  private announced: number | undefined;
  private body: Body | undefined;

  /** @param maxBytes messages longer than this are reported by their beginning and length */
  constructor(
    private readonly maxBytes: number,
    private readonly options: LineOptions = {},
  ) {
    const { onPiece } = options;
    this.lines = new LineReader(Math.max(maxBytes, headBytes), onPiece ? { onPiece } : {}); // so that a header is never too long
  }

  push(chunk: Buffer): void {
    this.lines.push(chunk);
  }

  next(): Line | undefined {
    for (;;) {
      if (this.body) return this.readBody(this.body);
      const line = this.lines.next();
      if (!line) return undefined;
      const between = this.readHeader(line);
      if (between) return between;
    }
  }

  end(): Line | undefined {
    const { body } = this;
    this.body = undefined;
    return body ? lineOf(body) : this.lines.end();
  }

  /** Reads a header line. Returns text that isn't part of a header. */
  private readHeader(line: Line): Line | undefined {
    if (line.bytes !== undefined) return line;
    if (line.text === '') {
      if (this.announced !== undefined) this.body = this.newBody(this.announced);
      this.announced = undefined;
      return undefined;
    }
    const [, before = '', digits] = lengthField.exec(line.text) ?? [];
    const length = digits === undefined ? Infinity : Number(digits);
    if (length > maxAnnounced) return typeField.test(line.text) ? undefined : line;
    this.announced = length;
    return before === '' ? undefined : Line.of(before);
  }

  private readBody(body: Body): Line | undefined {
    while (body.left > 0) {
      const bytes = this.lines.takeBytes(body.left);
      if (bytes.length === 0) return undefined;
      body.left -= bytes.length;
      if (body.long) body.long.add(bytes);
      else body.parts.push(bytes);
    }
    this.body = undefined;
    return lineOf(body);
  }

  private newBody(bytes: number): Body {
    const long = bytes > this.maxBytes ? new LongLine(this.maxBytes, this.options) : undefined;
    return { left: bytes, parts: [], long };
  }
}

function lineOf({ parts, long }: Body): Line {
  if (long) return long.end();
  return wholeLine(Buffer.concat(parts));
}
