import type { EndCause, StderrExcerpt, Termination } from '../../wire/termination';
import type { Words } from '../../text/translator';
import { verbatim } from '../../text/translator';
import { connectionWords } from '../../protocols/connectionWords';
import { asksToEnd, isBeginning, terminationOf } from '../../protocols/lifecycle';
import type { WireEvent, Why } from '../../wire/wireEvent';

type End = Extract<WireEvent, { ev: 'end' }>;

/** Determines how a run ended from its events, live or past. */
export class TerminationTracker {
  private isAsked = false;
  private exit: Extract<WireEvent, { ev: 'exit' }> | undefined;
  private failedStart: Extract<WireEvent, { ev: 'start-failed' }> | undefined;
  private isDisconnected = false;
  private end: End | undefined;
  private unanswered: string | undefined;
  private known: Partial<Termination> = {};
  private knownWhy: Why | undefined;
  private isStopRequested = false;

  /** @param unanswered the oldest request that was unanswered before this event */
  accept(event: WireEvent, unanswered?: string): void {
    if (event.dir !== 'ev') return;
    // An MCP server that exits on the first request is started again.
    if (isBeginning(event)) this.restart();
    if (asksToEnd(event)) this.isAsked = true;
    if (event.ev === 'exit') this.exit = event;
    if (event.ev === 'start-failed') this.failedStart = event;
    if (event.ev === 'disconnect') this.isDisconnected = true;
    if (event.ev === 'end') this.end = event;
    if (this.isOver) this.unanswered ??= unanswered;
  }

  /** Called when the user or the client stops the run: its end isn't the agent's fault. */
  stop(): void {
    this.isStopRequested = true;
  }

  get isStopping(): boolean {
    return this.isStopRequested;
  }

  /** Adds what is known about the end besides its events; the newest wins. @param why codes of its message */
  explain(known: Partial<Termination> = {}, why?: Why): void {
    this.known = { ...this.known, ...known };
    if (known.message) this.knownWhy = why;
  }

  /** Codes of the message, for the `end` event. */
  get why(): Why | undefined {
    return this.known.message ? this.knownWhy : ['exit'];
  }

  /** Called when the connection is lost without a process of ours. */
  disconnect(unanswered?: string): void {
    this.isDisconnected = true;
    this.unanswered ??= unanswered;
  }

  /** True if nothing but an `end` event can follow. */
  get isOver(): boolean {
    return this.exit !== undefined || this.failedStart !== undefined || this.isDisconnected || this.end !== undefined;
  }

  /** True if the `end` event has come. */
  get isComplete(): boolean {
    return this.end !== undefined;
  }

  /** Why it ended. Only valid once the run is over. */
  termination(stderr?: StderrExcerpt, cause?: EndCause): Termination {
    const { end } = this;
    const found = { ...this.fromEvents(), ...this.known };
    const message = end ? this.wordsOf(end, found.message) : found.message;
    return {
      ...found,
      ...(end && { reason: end.reason, terminatedBy: end.terminatedBy }),
      ...(message && { message }),
      ...(stderr && { stderr }),
      ...(cause && { cause }),
    };
  }

  /** Journals of Agent Logs 0.3 have only the message, in English. */
  private wordsOf({ message, why }: End, found: Words | undefined): Words | undefined {
    if (message === undefined || why?.[0] === 'exit') return found;
    return why ? connectionWords(why) : verbatim(message);
  }

  private fromEvents(): Termination {
    if (this.exit || this.isDisconnected) {
      return terminationOf(this.exit, this.isStopRequested || this.isAsked, this.unanswered);
    }
    return {
      reason: 'error',
      terminatedBy: 'system',
      ...(this.failedStart && { message: verbatim(this.failedStart.message) }),
    };
  }

  private restart(): void {
    this.isAsked = false;
    this.exit = undefined;
    this.unanswered = undefined;
  }
}
