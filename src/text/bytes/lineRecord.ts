import type { ByteChunk } from './byteChunk';
import type { LogRecord } from '../record';

/** A log message whose texts are read from the bytes of its line when they are needed. */
export interface LineRecord extends Pick<LogRecord, 'receivedAt' | 'level' | 'kind'> {
  /** The agent's own timestamp, in milliseconds since the epoch; NaN if there is none. */
  readonly time: number;
  readonly sessionId: string | undefined;
  readonly logger: string | undefined;
  /** Contains the line from `start` up to `end`, in valid UTF-8. */
  readonly chunk: ByteChunk;
  readonly start: number;
  readonly end: number;
  readonly messageStart: number;
  readonly messageEnd: number;
  /** The message, if it is escaped in its line. */
  readonly message: string | undefined;
  /** The path to its data in the line, if it has data. */
  readonly dataAt: readonly string[] | undefined;
}
