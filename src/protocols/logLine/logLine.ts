import { ByteChunk } from '../../log/bytes/byteChunk';
import type { Level } from '../../log/level';
import type { LineRecord } from '../../log/store/lineRecord';
import type { RecordKind } from '../../log/record';

/** A log message as read from its line. One object is reused for all lines of a run, so it is valid only until the next one is read. */
export class LogLine implements LineRecord {
  readonly kind: RecordKind = 'log';
  receivedAt = 0;
  level: Level = 'info';
  time = NaN;
  sessionId: string | undefined;
  logger: string | undefined;
  hasPlainNames = true;
  chunk = new ByteChunk(Buffer.alloc(0));
  start = 0;
  end = 0;
  messageStart = -1;
  messageEnd = -1;
  message: string | undefined;
  /** Whether the line contains escapes. */
  hasEscapes = false;
  textStart = 0;
  dataAt: readonly string[] | undefined;
  method = '';

  /** Resets the object for another line. */
  begin(chunk: ByteChunk, start: number, end: number, receivedAt: number): void {
    this.chunk = chunk;
    this.start = start;
    this.end = end;
    this.receivedAt = receivedAt;
    this.level = 'info';
    this.time = NaN;
    this.hasPlainNames = true;
    this.hasEscapes = chunk.hasBackslash(start, end);
    this.sessionId = this.logger = this.dataAt = this.message = undefined;
    this.messageStart = this.messageEnd = -1;
    this.textStart = end;
    this.method = '';
  }
}
