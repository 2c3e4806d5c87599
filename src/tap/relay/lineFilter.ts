import type { ByteFilter } from './relay';

const lineFeed = 10;
const nothing = Buffer.alloc(0);
/** A longer line is not looked at and goes on as it comes, in bytes. */
const maxLine = 1024 * 1024;

export interface LineFilterOptions {
  /** From then on all bytes pass as they come. */
  readonly isDone: () => boolean;
  /** A cheap test of several lines at once: whether one of them might be meant. */
  readonly concerns: (lines: Buffer) => boolean;
  /** What goes instead of a line (without its line feed): the same string for no change, `undefined` for nothing at all. */
  readonly replace: (line: string) => string | undefined;
}

/** Lets single lines be changed or left out, and passes all other bytes on as they came; a line that has only begun waits for its end. */
export class LineFilter implements ByteFilter {
  private partial: Buffer[] = [];
  private partialBytes = 0;
  /** In the middle of a line that is too long. */
  private isPassing = false;

  constructor(private readonly options: LineFilterOptions) {}

  push(chunk: Buffer): Buffer | undefined {
    if (this.options.isDone()) return this.withHeld(chunk);
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end === 0) return this.hold(chunk);
    const start = this.isPassing ? chunk.indexOf(lineFeed) + 1 : 0;
    this.isPassing = false;
    const lines = this.replaced(this.withHeld(chunk.subarray(start, end)));
    const rest = this.hold(chunk.subarray(end));
    return start === 0 && !rest ? lines : Buffer.concat([chunk.subarray(0, start), lines, ...(rest ? [rest] : [])]);
  }

  /** Bytes after the last line feed are no line. */
  end(): Buffer | undefined {
    return this.withHeld(nothing);
  }

  private hold(bytes: Buffer): Buffer | undefined {
    if (this.isPassing) return bytes;
    if (bytes.length === 0) return undefined;
    this.partial.push(bytes);
    this.partialBytes += bytes.length;
    if (this.partialBytes <= maxLine) return undefined;
    this.isPassing = true;
    return this.withHeld(nothing);
  }

  private withHeld(bytes: Buffer): Buffer {
    if (this.partial.length === 0) return bytes;
    const all = Buffer.concat([...this.partial, bytes]);
    this.partial = [];
    this.partialBytes = 0;
    return all;
  }

  private replaced(lines: Buffer): Buffer {
    if (!this.options.concerns(lines)) return lines;
    const out: Buffer[] = [];
    for (let start = 0; start < lines.length;) {
      const end = lines.indexOf(lineFeed, start) + 1;
      const line = lines.subarray(start, end);
      out.push(this.options.concerns(line) ? this.replacedLine(line) : line);
      start = end;
    }
    return Buffer.concat(out);
  }

  private replacedLine(line: Buffer): Buffer {
    const text = line.toString('utf8', 0, line.length - 1);
    const changed = this.options.replace(text);
    if (changed === text) return line; // its very bytes: they need not be valid UTF-8
    return changed === undefined ? nothing : Buffer.from(`${changed}\n`);
  }
}
