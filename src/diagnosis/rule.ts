import type { Fact } from '../protocols/facts';
import type { LogLine } from '../protocols/logLine/logLine';
import type { Conversation } from './conversation/conversation';
import type { TurnEnd } from './conversation/turn';
import type { Finding } from './diagnosis';

/** What a rule finds. Without a time and a line of its own it has those of the fact. */
export type Found = Omit<Finding, 'at'> & Partial<Pick<Finding, 'at'>>;

/** None, one or several. */
export type Findings = Found | readonly Found[] | undefined;

/** Handlers by type of fact. */
type FactHandlers = {
  readonly [T in Fact['type']]?: (fact: Extract<Fact, { type: T }>, conversation: Conversation) => Findings;
};

/**
 * Finds one kind of trouble: handlers that return what they find. A rule is a function of what it has seen so far; what it remembers is
 * bounded and its own. It sees a fact after the conversation has.
 */
export interface Rule extends FactHandlers {
  /** The methods that `notification` handles; all of them if absent. */
  readonly methods?: Pick<ReadonlySet<string>, 'has'>;
  /** Whether a well-formed log message may be a finding. Without this, `notification` sees only log messages that aren't well-formed. */
  needsLog?(line: LogLine, conversation: Conversation): boolean;
  /** A turn is over, whatever ended it. */
  turnEnded?(end: TurnEnd, conversation: Conversation): Findings;
  /** It is now this time, in milliseconds since the epoch: finds what has lasted too long. */
  passed?(t: number, conversation: Conversation): Findings;
  /** Elapsed times are unknown up to this time, in milliseconds since the epoch. */
  resumed?(t: number): void;
  /** Whether it waits for `passed`. */
  isWatching?(conversation: Conversation): boolean;
}
