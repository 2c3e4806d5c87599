import { duration } from '../../log/text';
import type { Conversation } from '../conversation/conversation';
import type { Report, Rule } from '../rule';
import { TurnEnds } from './turnEnds';
import type { Seen, TurnEndFact } from '../seen';

/** How a stream's turn really ended, where the agent's own lines and its exit code do not tell. */
export class StreamTurnEnds implements Rule {
  private readonly turnEnds = new TurnEnds();

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'turn-end' || conversation.hasToldFailure || seen.isOfCommand) return;
    if (seen.turn.isUnanswered) seeBreak(seen, conversation, report);
    else this.turnEnds.see(seen, conversation, report);
  }
}

/** A crash is told by itself. An agent that says all went well may have ended its turn in words that nobody knows here. */
function seeBreak({ event, turn }: TurnEndFact, conversation: Conversation, report: Report): void {
  if (event.dir !== 'ev' || event.ev !== 'exit' || event.code !== 0 || conversation.askedToEnd) return;
  const after = turn.took === undefined ? '' : ` after ${duration(turn.took)}`;
  report({
    code: 'failed-turn',
    level: 'warning',
    what: `Turn never finished: the agent ended${after} without a result`,
    cause: 'no result',
    sessionId: turn.sessionId,
    at: event.t,
  });
}
