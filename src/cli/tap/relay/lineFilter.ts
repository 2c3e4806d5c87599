import type { ByteFilter } from './relay';

const lineFeed = 10;
const nothing = Buffer.alloc(0);
/** Maximum length of lines to filter, in bytes. Longer ones pass unchanged. */
const maxLine = 1024 * 1024;

export interface LineFilterOptions {
  /** Once it returns true, everything passes unchanged. */
  readonly isDone: () => boolean;
  /** A cheap test for several lines at once: whether one of them might have to be replaced. */
  readonly concerns: (lines: Buffer) => boolean;
  /** The replacement of a line, without its line feed: the same string for no change, `undefined` to remove the line. */
  readonly replace: (line: string) => string | undefined;
}

/** Changes or removes single lines, and passes all other bytes unchanged. An incomplete line is held back until its end. */
export class LineFilter implements ByteFilter {
  private partial: Buffer[] = [];
  private partialBytes = 0;
  /** Whether the current line is too long to filter. */
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

  /** Bytes after the last line feed aren't filtered. */
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
    if (changed === text) return line; // the same bytes, which needn't be valid UTF-8
    return changed === undefined ? nothing : Buffer.from(`${changed}\n`);
  }
}
