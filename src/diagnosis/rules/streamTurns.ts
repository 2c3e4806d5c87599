import { duration, oneLine } from '../../log/text';
import type { TurnFailure } from '../../protocols/activity/activity';
import type { Conversation } from '../conversation/conversation';
import type { TurnEnd } from '../conversation/turn';
import type { Finding } from '../diagnosis';
import { turnFailure } from '../failures/turnFailure';
import type { Findings, Rule } from '../rule';
import { judgeTurnEnd } from './turnEnds';

type FailureFinding = Pick<Finding, 'code' | 'level' | 'what'> & Partial<Pick<Finding, 'advice' | 'key' | 'cause'>>;

/** Readable names of limits. */
const limits: ReadonlyMap<string, string> = new Map([
  ['budget_usd', 'budget in US dollars used up'],
  ['structured_output_retries', 'limit of retries for structured output reached'],
]);

/** How a stream's turn ended: by the agent's result, otherwise by its lines and exit code. */
export const streamTurns: Rule = {
  turn(fact, conversation) {
    if (fact.change !== 'ended' || !fact.failure) return undefined;
    return { ...judgeTurn(fact.failure, conversation), sessionId: fact.sessionId };
  },

  turnEnded(end, conversation) {
    if (conversation.hasReportedFailure || end.isOfCommand) return undefined;
    return end.turn.isUnanswered ? judgeBreak(end, conversation) : judgeTurnEnd(end.turn, conversation);
  },
};

function judgeTurn(failure: TurnFailure, conversation: Conversation): FailureFinding {
  const code = 'turn-cut-short';
  const cause = 'cut short';
  switch (failure.type) {
    case 'limit': {
      const { limit } = failure;
      const why = limits.get(limit) ?? `limit of ${limit.replaceAll('_', ' ').slice(0, 60)} reached`;
      return { code, level: 'warning', what: `Turn cut short: ${why}`, cause };
    }
    case 'cut-short': {
      const why = oneLine(failure.words, 240).replace(/\.$/, '');
      return { code, level: 'warning', what: `Turn cut short: ${why}. (The agent reported \`success\`.)`, cause };
    }
    case 'failed': {
      const [turn] = conversation.turns.values();
      const reported = failure.saysSuccess ? 'success' : undefined;
      return turnFailure({ why: failure.words ?? 'no reason given', retries: turn?.retries, reported }, conversation);
    }
  }
}

/** Another rule reports crashes. Exit code 0 may follow an end of the turn in an unknown format. */
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
