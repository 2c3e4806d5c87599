import type { LogLine } from '../../protocols/logLine/logLine';
import type { WireMessage } from '../../wire/wireEvent';

/** How many wait at most, and how many bytes of them. */
const limits = { logs: 32, bytes: 64 * 1024 };

/** A log message, and what it was read as from its bytes. */
export interface ReadLog {
  readonly event: WireMessage;
  readonly log: LogLine;
}

/**
 * Log messages that wait for others, so that a flood is handled one step after the other instead of one message after the other: the code of all
 * steps doesn't fit into a processor's nearest cache, and fetching it anew for each message took a fifth of the time.
 */
export class WaitingLogs {
  private logs: ReadLog[] = [];
  private bytes = 0;

  get isFull(): boolean {
    return this.logs.length >= limits.logs || this.bytes >= limits.bytes;
  }

  get isEmpty(): boolean {
    return this.logs.length === 0;
  }

  add(event: WireMessage, log: LogLine): void {
    this.logs.push({ event, log });
    this.bytes += log.end - log.start;
  }

  /** All of them, in order; now none waits. */
  take(): readonly ReadLog[] {
    const { logs } = this;
    this.logs = [];
    this.bytes = 0;
    return logs;
  }
}
