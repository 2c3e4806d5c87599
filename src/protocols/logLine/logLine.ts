import type { ByteChunk } from '../../text/bytes/byteChunk';
import type { Level } from '../../text/level';
import type { LineRecord } from '../../text/bytes/lineRecord';
import type { RecordKind } from '../../text/record';

/** A log message as read from its line. */
export class LogLine implements LineRecord {
  readonly kind: RecordKind = 'log';
  level: Level = 'info';
  time = NaN;
  sessionId: string | undefined;
  logger: string | undefined;
  messageStart = -1;
  messageEnd = -1;
  message: string | undefined;
  dataAt: readonly string[] | undefined;
  method = '';

  constructor(
    readonly chunk: ByteChunk,
    readonly start: number,
    readonly end: number,
    readonly receivedAt: number,
    /** Whether the line contains escapes. */
    readonly hasEscapes: boolean,
  ) {}
}
