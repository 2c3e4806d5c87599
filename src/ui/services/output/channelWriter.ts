import type { LogOutputChannel } from 'vscode';
import type { ChannelMethod } from '../../../text/format';

interface ChannelLine {
  readonly method: ChannelMethod;
  readonly text: string;
}

/** A line that is formatted only when it's written: in a flood, most never are. */
export type LazyLine = () => ChannelLine;

/** Returns the newest lines, in order, and how many older ones it dropped. */
export type LineSource = (limit: number) => { readonly lines: readonly LazyLine[]; readonly older: number };

/** How often lines are written, in milliseconds, and how many at a time. VS Code keeps up with this while the channel is open. */
const usual = { interval: 50, lines: 500 };
/** Maximum number of waiting lines; the oldest are dropped. */
const maxWaiting = 1000;
/** The pace during a flood, which is too fast to read: it keeps the window responsive. */
const inFlood = { interval: 300, lines: 60 };

/** Writes to a channel at a rate that VS Code keeps up with. In a flood it drops and counts the oldest waiting lines; the tree still has them. */
export class ChannelWriter {
  private waiting: LazyLine[] = [];
  private skipped = 0;
  /** Whether the last flush dropped lines. Two in a row are a flood. */
  private hasSkipped = false;
  private pace = usual;
  private timer: NodeJS.Timeout | undefined;

  /** @param takeUnread returns what has arrived since the last call; called at the next write after `wake` */
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

  /** Schedules a write of the pending records. */
  wake(): void {
    this.timer ??= setTimeout(() => this.flush(), this.pace.interval);
  }

  /** Takes what is unread now, because something must be written after it or it's about to be gone. */
  readUnread(): void {
    const { lines, older } = this.takeUnread(this.pace === inFlood ? inFlood.lines : maxWaiting);
    if (older > 0) {
      this.skipped += older + this.waiting.length;
      this.waiting = [];
    }
    this.waiting.push(...lines);
    if (this.waiting.length > maxWaiting) this.skipAllBut(usual.lines);
  }

  /** Writes the waiting lines. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.readUnread();
    this.pace = this.hasSkipped && this.skipped > 0 ? inFlood : usual;
    this.hasSkipped = this.skipped > 0;
    if (this.pace === inFlood) this.skipAllBut(inFlood.lines);
    this.writeSkipped();
    const lines = this.waiting.splice(0, this.pace.lines);
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.flush(), this.pace.interval);
    for (const line of lines) {
      const { method, text } = line();
      this.channel[method](text);
    }
  }

  /** Drops the oldest. */
  private skipAllBut(lines: number): void {
    if (this.waiting.length <= lines) return;
    this.skipped += this.waiting.length - lines;
    this.waiting = this.waiting.slice(-lines);
  }

  private writeSkipped(): void {
    if (this.skipped === 0) return;
    this.channel.warn(
      `[agent-logs] ${this.skipped} lines skipped: they arrived faster than the Output view can show them`,
    );
    this.skipped = 0;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
