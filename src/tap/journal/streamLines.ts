import type { Line } from '../../log/bytes/line';
import type { StreamReader } from '../../wire/lines/framing';

const lineFeed = 10;

/** The lines of a stream of which parts are missing: the line that a gap cuts through is given as far as it came, and the rest of the other passed over. */
export class StreamLines {
  private reader: StreamReader;
  private isLost = false;

  constructor(private readonly newReader: () => StreamReader) {
    this.reader = newReader();
  }

  *push(chunk: Buffer): Generator<Line> {
    let bytes = chunk;
    if (this.isLost) {
      const end = chunk.indexOf(lineFeed) + 1;
      if (end === 0) return;
      this.isLost = false;
      bytes = chunk.subarray(end);
    }
    this.reader.push(bytes);
    yield* this.whole();
  }

  /** Bytes are missing here. */
  *skip(): Generator<Line> {
    yield* this.end();
    this.reader = this.newReader();
    this.isLost = true;
  }

  *end(): Generator<Line> {
    yield* this.whole();
    const last = this.reader.end();
    if (last) yield last;
  }

  private *whole(): Generator<Line> {
    for (let line = this.reader.next(); line; line = this.reader.next()) yield line;
  }
}
