import type { ActivityFact } from '../protocols/activity/activity';
import type { Conversation } from './conversation/conversation';
import type { Finding } from './diagnosis';
import type { LogLine } from '../protocols/logLine/logLine';
import type { Seen } from './seen';

/** Takes what a rule finds. */
export type Report = (finding: Finding) => void;

/**
 * Finds one kind of trouble. A rule is a function of what it has seen so far, and what it remembers is bounded. It sees things after the
 * interpreter and the conversation have.
 */
export interface Rule {
  /** The activities that it looks at; none if absent. */
  readonly activities?: readonly ActivityFact['type'][];
  see?(seen: Seen, conversation: Conversation, report: Report): void;
  /** Whether it looks at notifications of this method; at all of them, where this is not there. Asked once for each method: a flood is of few. */
  looksAt?(method: string): boolean;
  /** Whether a log message that is as it should be is nothing to it, by its method and level: then it need not see it. Where this is missing it has to. */
  passesLog?(line: LogLine, conversation: Conversation): boolean;
  /** It is now this time, in milliseconds since the epoch: what is judged by how long it lasts is judged now. */
  passed?(t: number, conversation: Conversation, report: Report): void;
  /** How long anything has lasted until this time, in milliseconds since the epoch, nobody knows. */
  resumed?(t: number): void;
  /** Whether it waits to be told the time. */
  isWatching?(conversation: Conversation): boolean;
}
