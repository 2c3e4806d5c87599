import type { StderrExcerpt } from '../../wire/termination';
import { ownHead } from '../../text/ownText';

const linesEach = 50;
/** Maximum length of a line, in characters. */
const maxLine = 500;

/** Keeps the first and last lines of standard error until the process ends. */
export class StderrExcerpts {
  private readonly head: string[] = [];
  private tail: string[] = [];
  private totalLines = 0;
  private isCut = false;

  add(line: string): void {
    this.totalLines++;
    if (line.length > maxLine) this.isCut = true;
    const kept = line.length > maxLine ? `${ownHead(line, maxLine)}…` : line;
    if (this.head.length < linesEach) this.head.push(kept);
    else this.tail.push(kept);
    if (this.tail.length >= linesEach * 4) this.tail = this.tail.slice(-linesEach);
  }

  /** `undefined` if nothing was written. */
  get excerpt(): StderrExcerpt | undefined {
    if (this.totalLines === 0) return undefined;
    const tail = this.tail.slice(-linesEach);
    return {
      head: this.head.join('\n'),
      ...(tail.length > 0 && { tail: tail.join('\n') }),
      truncated: this.isCut || this.totalLines > this.head.length + tail.length,
      totalLines: this.totalLines,
    };
  }
}
