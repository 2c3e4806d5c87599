import { isUtf8 } from 'node:buffer';
import type { ByteChunk } from '../../log/bytes/byteChunk';
import type { Interpreter } from '../../protocols/interpreter';
import type { LogLine } from '../../protocols/logLine/logLine';
import type { LineRedactor } from './redactEvent';

/**
 * Looks whether a line can be taken from its bytes: a log message of which nobody needs to know more, without a secret. All others are
 * decoded, parsed and redacted, which takes several times as long.
 */
export class QuickLines {
  constructor(
    private readonly interpreter: Interpreter,
    private readonly redactor: LineRedactor | undefined,
  ) {}

  /** The log message of a line, which is lent; `undefined` where it has to be read in another way. */
  read(chunk: ByteChunk, start: number, end: number, t: number): LogLine | undefined {
    try {
      const line = this.interpreter.readLog?.(chunk, start, end, t);
      return line && this.isClean(chunk, line) ? line : undefined;
    } catch {
      return undefined; // a bug of ours must not end a run
    }
  }

  private isClean(chunk: ByteChunk, line: LogLine): boolean {
    const { redactor } = this;
    const { isAscii, start, end } = line;
    if (!isAscii && !isUtf8(chunk.bytes.subarray(start, end))) return false;
    if (redactor === undefined || redactor.isClean?.(chunk, line) === true) return true;
    const text = chunk.bytes.toString('utf8', start, end);
    return redactor.line(text) === text;
  }
}
