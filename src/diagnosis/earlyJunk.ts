import type { Finding } from './diagnosis';
import { bounded } from './series';

/** A finding, with the record that shows it, by its `seq`. */
export interface Shown {
  readonly finding: Finding;
  readonly evidence: number | undefined;
}

/** A process that prints why it cannot go on ends within this time, in milliseconds. */
const patience = 1000;
const maxHeld = 100;

/**
 * What a process prints before its first message. Where that goes on to speak, it is junk among messages; where it ends, it is why, and the
 * end tells of it: so it is held back for a moment.
 */
export class EarlyJunk {
  private held: Shown[] = [];
  private hasSpoken = false;

  /** Whether it is held back. */
  takes(shown: Shown): boolean {
    if (this.hasSpoken || shown.finding.code !== 'stdout-junk' || this.isFull) return false;
    this.held.push({ ...shown, finding: bounded(shown.finding) });
    return true;
  }

  get isHolding(): boolean {
    return this.held.length > 0;
  }

  /** Whether no more can be held back: it is told then. */
  get isFull(): boolean {
    return this.held.length >= maxHeld;
  }

  /** Another process begins. */
  begin(): Shown[] {
    this.hasSpoken = false;
    return this.release();
  }

  /** A message has come. */
  speak(): Shown[] {
    this.hasSpoken = true;
    return this.release();
  }

  /** It is now this time, in milliseconds since the epoch. */
  passed(t: number): Shown[] {
    const [first] = this.held;
    return first && t - first.finding.at > patience ? this.speak() : [];
  }

  /** @param isTold whether its end has told what it printed */
  end(isTold: boolean): Shown[] {
    const held = this.release();
    return isTold ? [] : held;
  }

  private release(): Shown[] {
    const { held } = this;
    this.held = [];
    return held;
  }
}
