import type { Fact } from '../work/facts';
import type { LogLine } from '../protocols/logLine/logLine';
import type { Conversation } from './conversation/conversation';
import type { ToolCall } from '../work/tools/toolCall';
import type { TurnEnd } from '../work/turn';
import type { Finding } from './diagnosis';

/** A rule's finding. Time and line default to those of the fact, and the session to that of an activity or a turn's end. */
export type Found = Omit<Finding, 'at'> & Partial<Pick<Finding, 'at'>>;

export type Findings = Found | undefined | readonly (Found | undefined)[];

/** A tool call that has ended, and what was read when that became known. */
export interface ToolEnded {
  readonly tool: ToolCall;
  readonly event: Fact['event'];
  /** The `seq` of the record of its end. */
  readonly evidence?: number | undefined;
}

/** A finding in a log message; its time, line and record are those of the message. */
export type LogFinding = Omit<Finding, 'at' | 'raw' | 'evidence' | 'sessionId'> & {
  /** Whether it is about the message's session rather than the run. */
  readonly isOfSession: boolean;
};

/** Handlers by type of fact. */
type FactHandlers = {
  readonly [T in Fact['type']]?: (fact: Extract<Fact, { type: T }>, conversation: Conversation) => Findings;
};

/**
 * Finds one kind of problem: its handlers return what they find. A rule depends only on what it has seen; its state is bounded and private. It sees
 * a fact after the conversation does.
 */
export interface Rule extends FactHandlers {
  /** The methods that `notification` handles; by default, all. */
  readonly methods?: Pick<ReadonlySet<string>, 'has'>;
  /**
   * Whether `log` may find something in well-formed log messages of this method and level, until anything else arrives. Without this, the rule sees
   * only malformed ones, as notifications.
   */
  needsLog?(line: Pick<LogLine, 'method' | 'level'>, conversation: Conversation): boolean;
  /** Finds the same as `notification` in a log message that isn't parsed. Returns the same object for the same finding, so that a flood is cheap. */
  log?(line: LogLine, conversation: Conversation): LogFinding | undefined;
  /**
   * Called when a turn is over, whatever ended it.
   * @param verdict what its last line and earlier rules have found about it
   */
  turnEnded?(end: TurnEnd, conversation: Conversation, verdict: readonly Finding[]): Findings;
  /** Called when a tool call has ended, and again when more is known about how. */
  toolEnded?(end: ToolEnded, conversation: Conversation): Findings;
  /** Finds what has lasted too long at this time, in milliseconds since the epoch. */
  passed?(t: number, conversation: Conversation): Findings;
  /** Reports what is held back: the recording ends here. */
  finished?(conversation: Conversation): Findings;
  /** Elapsed times are unknown up to this time, in milliseconds since the epoch. */
  resumed?(t: number): void;
  /** Whether the rule is waiting for `passed`. */
  isWatching?(conversation: Conversation): boolean;
}
