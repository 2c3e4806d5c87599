import type { Finding } from './diagnosis';
import { bounded } from './series';

/** A finding and the `seq` of the record that shows it. */
export interface HeldFinding {
  readonly finding: Finding;
  readonly evidence: number | undefined;
}

/** A process that prints a startup error exits within this time, in milliseconds. */
const maxWait = 1000;
const maxHeld = 100;

/**
 * Holds back text that a process prints before its first message. If messages follow, the text is junk; if the process exits, the text is the
 * cause, and the report of the exit quotes it.
 */
export class EarlyJunk {
  private held: HeldFinding[] = [];
  private hasMessages = false;

  /** Whether the finding is held back. */
  takes(found: HeldFinding): boolean {
    if (this.hasMessages || found.finding.code !== 'stdout-junk' || this.isFull) return false;
    this.held.push({ ...found, finding: bounded(found.finding) });
    return true;
  }

  get isHolding(): boolean {
    return this.held.length > 0;
  }

  /** Whether the limit is reached, so that the findings must be reported. */
  get isFull(): boolean {
    return this.held.length >= maxHeld;
  }

  /** Starts over for a new process; returns what was held back. */
  begin(): HeldFinding[] {
    this.hasMessages = false;
    return this.release();
  }

  /** Returns what was held back, because a message has arrived. */
  messageArrived(): HeldFinding[] {
    this.hasMessages = true;
    return this.release();
  }

  /** @param t the current time, in milliseconds since the epoch */
  passed(t: number): HeldFinding[] {
    const [first] = this.held;
    return first && t - first.finding.at > maxWait ? this.messageArrived() : [];
  }

  /** @param isQuoted whether the report of the exit quotes the text */
  end(isQuoted: boolean): HeldFinding[] {
    const held = this.release();
    return isQuoted ? [] : held;
  }

  private release(): HeldFinding[] {
    const { held } = this;
    this.held = [];
    return held;
  }
}
