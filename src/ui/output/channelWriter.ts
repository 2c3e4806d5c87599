import type { LogOutputChannel } from 'vscode';
import type { ChannelMethod } from '../../log/format';

interface ChannelLine {
  readonly method: ChannelMethod;
  readonly text: string;
}

/** A line that is formatted when it is written: in a flood most never are. */
export type LazyLine = () => ChannelLine;

/** How often lines are written, in milliseconds, and how many at a time: VS Code keeps up with that while it is shown. */
const usual = { interval: 50, lines: 500 };
/** The same while a flood lasts: nobody reads along, and the window is not kept from what the person does. */
const inFlood = { interval: 150, lines: 60 };

/**
 * Writes to a channel at a rate that VS Code keeps up with. In a flood the oldest waiting lines are left out and counted; the tree has them.
 */
export class ChannelWriter {
  private waiting: LazyLine[] = [];
  private skipped = 0;
  /** Lines were left out the last time; if they are again, it is a flood. */
  private hasSkipped = false;
  private pace = usual;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly channel: Pick<LogOutputChannel, ChannelMethod>) {}

  /** Of so many lines at once the oldest would be left out. */
  get room(): number {
    return this.pace === inFlood ? inFlood.lines : usual.lines * 2 - 1;
  }

  /** Leaves out so many lines, and what waited before them. */
  skip(lines: number): void {
    if (lines === 0) return;
    this.skipped += lines + this.waiting.length;
    this.waiting = [];
  }

  add(line: LazyLine): void {
    this.waiting.push(line);
    if (this.waiting.length >= usual.lines * 2) this.skipAllBut(usual.lines);
    this.timer ??= setTimeout(() => this.flush(), this.pace.interval);
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pace = this.hasSkipped && this.skipped > 0 ? inFlood : usual;
    this.hasSkipped = this.skipped > 0;
    if (this.pace === inFlood) this.skipAllBut(inFlood.lines);
    this.tellSkipped();
    for (const line of this.waiting.splice(0, this.pace.lines)) {
      const { method, text } = line();
      this.channel[method](text);
    }
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.flush(), this.pace.interval);
  }

  /** Leaves out the oldest. */
  private skipAllBut(lines: number): void {
    if (this.waiting.length <= lines) return;
    this.skipped += this.waiting.length - lines;
    this.waiting = this.waiting.slice(-lines);
  }

  private tellSkipped(): void {
    if (this.skipped === 0) return;
    this.channel.warn(
      `[agent-logs] ${this.skipped} lines are left out here: they came faster than this view takes them`,
    );
    this.skipped = 0;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
