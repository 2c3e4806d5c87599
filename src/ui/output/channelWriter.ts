import type { LogOutputChannel } from 'vscode';
import type { ChannelMethod } from '../../log/format';

interface ChannelLine {
  readonly method: ChannelMethod;
  readonly text: string;
}

/** A line that is formatted when it is written: in a flood most never are. */
export type LazyLine = () => ChannelLine;

/** The newest lines that there are, in order, and how many older ones. */
export type LineSource = (limit: number) => { readonly lines: readonly LazyLine[]; readonly older: number };

/** How often lines are written, in milliseconds, and how many at a time: VS Code keeps up with that while it is shown. */
const usual = { interval: 50, lines: 500 };
/** Of more the oldest are left out. */
const maxWaiting = 1000;
/** The same while a flood lasts: nobody reads along, and the window is not kept from what the person does. */
const inFlood = { interval: 300, lines: 60 };

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

  /** @param takeUnread asked when it is time to write: what has come since it was asked last, where `wake` said so */
  constructor(
    private readonly channel: Pick<LogOutputChannel, ChannelMethod>,
    private readonly takeUnread: LineSource = () => ({ lines: [], older: 0 }),
  ) {}

  add(line: LazyLine): void {
    this.readUnread();
    this.waiting.push(line);
    if (this.waiting.length > maxWaiting) this.skipAllBut(usual.lines);
    this.wake();
  }

  /** There is something to take. */
  wake(): void {
    this.timer ??= setTimeout(() => this.flush(), this.pace.interval);
  }

  /** Takes it now: what comes next is to stand behind it, or it is about to go. */
  readUnread(): void {
    const { lines, older } = this.takeUnread(this.pace === inFlood ? inFlood.lines : maxWaiting);
    if (older > 0) {
      this.skipped += older + this.waiting.length;
      this.waiting = [];
    }
    this.waiting.push(...lines);
    if (this.waiting.length > maxWaiting) this.skipAllBut(usual.lines);
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.readUnread();
    this.pace = this.hasSkipped && this.skipped > 0 ? inFlood : usual;
    this.hasSkipped = this.skipped > 0;
    if (this.pace === inFlood) this.skipAllBut(inFlood.lines);
    this.tellSkipped();
    const lines = this.waiting.splice(0, this.pace.lines);
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.flush(), this.pace.interval);
    for (const line of lines) {
      const { method, text } = line();
      this.channel[method](text);
    }
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
