import type { StderrExcerpt, Termination } from '../../log/termination';
import { asksToEnd } from '../../protocols/lifecycle';
import type { WireEvent } from '../../wire/wireEvent';
import { terminationOf } from '../../protocols/termination';

/** Reads from the events of a run how it ended. */
export class Ending {
  private askedToEnd = false;
  private exit: Extract<WireEvent, { ev: 'exit' }> | undefined;
  private failure: Extract<WireEvent, { ev: 'start-failed' }> | undefined;
  private left = false;
  private end: Extract<WireEvent, { ev: 'end' }> | undefined;

  accept(event: WireEvent): void {
    if (event.dir !== 'ev') return;
    if (asksToEnd(event)) this.askedToEnd = true;
    // An MCP server that dies of the first question is started once more.
    if (event.ev === 'spawn') this.exit = undefined;
    if (event.ev === 'exit') this.exit = event;
    if (event.ev === 'start-failed') this.failure = event;
    if (event.ev === 'disconnect') this.left = true;
    if (event.ev === 'end') this.end = event;
  }

  /** Whether nothing can come any more but why. */
  get isOver(): boolean {
    return this.exit !== undefined || this.failure !== undefined || this.left || this.end !== undefined;
  }

  /** Whether that has come, too. */
  get isComplete(): boolean {
    return this.end !== undefined;
  }

  /**
   * Why it ended; `undefined` where its events break off.
   * @param unanswered a request that it did not answer any more
   */
  termination(stderr?: StderrExcerpt, unanswered?: string): Termination | undefined {
    const { end } = this;
    if (!this.isOver) return undefined;
    return {
      ...this.base(unanswered),
      ...(end && { reason: end.reason, terminatedBy: end.terminatedBy }),
      ...(end?.message !== undefined && { message: end.message }),
      ...(stderr && { stderr }),
    };
  }

  /** What the events before the last one tell. */
  private base(unanswered: string | undefined): Termination {
    if (this.exit || this.left) return terminationOf(this.exit, this.askedToEnd, unanswered);
    return { reason: 'error', terminatedBy: 'system', ...(this.failure && { message: this.failure.message }) };
  }
}
