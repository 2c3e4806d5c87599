import type { ByteChunk } from '../bytes/byteChunk';
import type { LogRecord } from '../record';

/** A log message whose texts stay in the bytes of its line until they are needed. */
export interface LineRecord extends Pick<LogRecord, 'receivedAt' | 'level' | 'kind'> {
  /** The agent's own timestamp, in milliseconds since the epoch; NaN where it gave none. */
  readonly time: number;
  readonly sessionId: string | undefined;
  readonly logger: string | undefined;
  /** Whether `sessionId` and `logger` certainly hold no secret and name none. */
  readonly hasPlainNames: boolean;
  /** The line is in it from `start` up to `end`, in valid UTF-8. */
  readonly chunk: ByteChunk;
  readonly start: number;
  readonly end: number;
  /** Before this place there are only names of fields, `sessionId`, `logger` and the level. */
  readonly textStart: number;
  readonly messageStart: number;
  readonly messageEnd: number;
  /** The message, if it has escapes in its line. */
  readonly message: string | undefined;
  /** The names that lead to its data in the line, if it has data. */
  readonly dataAt: readonly string[] | undefined;
}
