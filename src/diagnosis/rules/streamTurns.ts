import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { oneLine } from '../../text/text';
import type { TurnFailure } from '../../work/failures/turnFailure';
import type { Conversation } from '../conversation/conversation';
import type { TurnEnd } from '../../work/turn';
import { turnFailure, withReport } from '../failures/turnFailure';
import type { Findings, Found, Rule } from '../rule';
import { causes } from '../causes';
import { judgeTurnEnd, leftRetrying, neverFinished } from './turnEnds';
import { abandonedRetries } from '../failures/abandonedRetries';

/** Readable names of limits. */
const limits: ReadonlyMap<string, Words> = new Map([
  ['budget_usd', t('budget in US dollars used up')],
  ['structured_output_retries', t('limit of retries for structured output reached')],
]);

/** How a stream's turn ended: by the agent's result, otherwise by its lines and exit code. */
export const streamTurns: Rule = {
  turn: (fact, conversation) =>
    fact.change === 'ended' && fact.failure ? judgeTurn(fact.failure, conversation) : undefined,

  turnEnded(end, conversation) {
    if (conversation.hasReportedFailure || end.isOfCommand) return undefined;
    if (end.turn.isUnanswered) {
      const abandoned = conversation.askedToEnd ? abandonedRetries(end.turn, t('Ended')) : undefined;
      return abandoned ?? judgeBreak(end, conversation);
    }
    return judgeTurnEnd({ ...end, event: undefined }, conversation);
  },

  finished: ({ turns }) => turns.map(leftRetrying),
};

function judgeTurn(failure: TurnFailure, conversation: Conversation): Found {
  const code = 'turn-cut-short';
  const cause = causes.cutShort;
  switch (failure.type) {
    case 'limit': {
      const { limit } = failure;
      const why = limits.get(limit) ?? t('limit of {0} reached', oneLine(limit.replaceAll('_', ' '), 60));
      return { code, level: 'warning', what: t('Turn cut short: {0}', why), cause };
    }
    case 'cut-short': {
      const why = oneLine(failure.words, 240).replace(/\.$/, '');
      return { code, level: 'warning', what: withReport(t('Turn cut short: {0}', why), 'success'), cause };
    }
    case 'failed': {
      const reported = failure.saysSuccess ? 'success' : undefined;
      const { endedTurn: turn } = conversation;
      return turnFailure({ why: failure.words ?? 'no reason given', reported, turn }, conversation);
    }
  }
}

/** Another rule reports crashes. Exit code 0 may follow an end of the turn in an unknown format. */
function judgeBreak({ event, turn }: TurnEnd, conversation: Conversation): Findings {
  if (event.dir !== 'ev' || event.ev !== 'exit' || event.code !== 0 || conversation.askedToEnd) return undefined;
  return {
    code: 'failed-turn',
    level: 'warning',
    what: t('{0} without a result', neverFinished(turn)),
    cause: causes.noResult,
  };
}
