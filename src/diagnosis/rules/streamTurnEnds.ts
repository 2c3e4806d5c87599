import { duration } from '../../log/text';
import type { Conversation } from '../conversation/conversation';
import type { TurnEnd } from '../conversation/turn';
import type { Findings, Rule } from '../rule';
import { judgeTurnEnd } from './turnEnds';

/** How a stream's turn really ended, where the agent's own lines and its exit code do not tell. */
export const streamTurnEnds: Rule = {
  turnEnded(end, conversation) {
    if (conversation.hasReportedFailure || end.isOfCommand) return undefined;
    return end.turn.isUnanswered ? judgeBreak(end, conversation) : judgeTurnEnd(end.turn, conversation);
  },
};

/** A crash is told by itself. An agent that says all went well may have ended its turn in words that nobody knows here. */
function judgeBreak({ event, turn }: TurnEnd, conversation: Conversation): Findings {
  if (event.dir !== 'ev' || event.ev !== 'exit' || event.code !== 0 || conversation.askedToEnd) return undefined;
  const after = turn.took === undefined ? '' : ` after ${duration(turn.took)}`;
  return {
    code: 'failed-turn',
    level: 'warning',
    what: `Turn never finished: the agent ended${after} without a result`,
    cause: 'no result',
    sessionId: turn.sessionId,
  };
}
