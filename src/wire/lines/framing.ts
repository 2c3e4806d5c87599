import type { Line } from '../../log/bytes/line';
import { ContentLengthReader } from './contentLengthReader';
import type { LineOptions } from './lineReader';
import { LineReader } from './lineReader';

/** Bytes in, messages out: whole lines, or whatever else the framing sets apart. */
export interface StreamReader {
  push(chunk: Buffer): void;
  /** The next one, or `undefined` when more bytes are needed. */
  next(): Line | undefined;
  /** After the last byte: what is left. */
  end(): Line | undefined;
}

/** How messages are set apart in a stream of bytes. */
export interface Framing {
  newReader(maxBytes: number, options?: LineOptions): StreamReader;
  /** A message in its frame. */
  frame(text: string): string;
}

/** One message to a line (ACP and MCP "Transports", stdio). */
export const lineFraming: Framing = {
  newReader: (maxBytes, options) => new LineReader(maxBytes, options),
  frame: (text) => `${text}\n`,
};

/** Each message after a header with its length in bytes (LSP 3.18 "Base Protocol"). */
export const contentLengthFraming: Framing = {
  newReader: (maxBytes, options) => new ContentLengthReader(maxBytes, options),
  frame: (text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
};
