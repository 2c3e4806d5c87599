import type { LogOutputChannel } from 'vscode';
import type { ChannelMethod } from '../../log/format';

interface ChannelLine {
  readonly method: ChannelMethod;
  readonly text: string;
}

/** A line that is formatted when it is written: in a flood most never are. */
export type LazyLine = () => ChannelLine;

/** How often lines are written, in milliseconds, and how many at a time: a shown channel takes about 33,000 a second. */
const interval = 50;
const linesPerInterval = 500;

/**
 * Writes to a channel at a rate that VS Code keeps up with. In a flood the oldest waiting lines are left out and counted; the tree has them.
 */
export class ChannelWriter {
  private waiting: LazyLine[] = [];
  private skipped = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly channel: Pick<LogOutputChannel, ChannelMethod>) {}

  add(line: LazyLine): void {
    this.waiting.push(line);
    if (this.waiting.length >= linesPerInterval * 2) {
      this.skipped += this.waiting.length - linesPerInterval;
      this.waiting = this.waiting.slice(-linesPerInterval);
    }
    this.timer ??= setTimeout(() => this.flush(), interval);
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.skipped > 0) {
      this.channel.warn(
        `[agent-logs] ${this.skipped} lines are left out here: they came faster than this view takes them`,
      );
      this.skipped = 0;
    }
    const lines = this.waiting.splice(0, linesPerInterval);
    for (const line of lines) {
      const { method, text } = line();
      this.channel[method](text);
    }
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.flush(), interval);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
