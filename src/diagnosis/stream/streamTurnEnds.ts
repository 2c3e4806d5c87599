import { duration } from '../../log/text';
import type { Conversation } from '../conversation';
import type { Report, Rule } from '../rule';
import { TurnEnds } from '../rules/turnEnds';
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
  const when = turn.took === undefined ? 'in its turn' : `${duration(turn.took)} after its turn began`;
  report({
    code: 'failed-turn',
    level: 'warning',
    what: `the agent ended ${when}, and its stream does not say how that ended`,
    sessionId: turn.sessionId,
    at: event.t,
  });
}
