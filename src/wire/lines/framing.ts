import type { Line } from '../../text/bytes/line';
import { ContentLengthReader } from './contentLengthReader';
import type { LineOptions } from './longLine';
import { LineReader } from './lineReader';

/** Splits bytes into messages. */
export interface StreamReader {
  push(chunk: Buffer): void;
  /** The next message; `undefined` if more bytes are needed. */
  next(): Line | undefined;
  /** What is complete of a message that goes on, if parts of it can be read. */
  pause?(): Line | undefined;
  /** What is left after the last byte. */
  end(): Line | undefined;
  /** After the end: whether a message of many lines had none, or only its outermost list. */
  readonly cut?: 'message' | 'list' | undefined;
}

/** How messages are separated in a stream of bytes. */
export interface Framing {
  newReader(maxBytes: number, options?: LineOptions): StreamReader;
  /** A message as it is sent. */
  frame(text: string): string;
}

/** One message per line (ACP and MCP "Transports", stdio). */
export const lineFraming: Framing = {
  newReader: (maxBytes, options) => new LineReader(maxBytes, options),
  frame: (text) => `${text}\n`,
};

/** Each message after a header with its length in bytes (LSP 3.18 "Base Protocol"). */
export const contentLengthFraming: Framing = {
  newReader: (maxBytes, options) => new ContentLengthReader(maxBytes, options),
  frame: (text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
};
