import { oneLine } from '../../log/text';
import type { TurnFailure } from '../../protocols/activity/activity';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import { readable } from '../failures/errorText';
import { adviceFor, causeOf, classOfText } from '../failures/failureClass';
import { loginAdvice } from '../failures/loginAdvice';
import type { Rule } from '../rule';

type FailureFinding = Pick<Finding, 'code' | 'level' | 'what'> & Partial<Pick<Finding, 'advice' | 'key' | 'cause'>>;

/** Limits whose names are no words. */
const limits: ReadonlyMap<string, string> = new Map([
  ['budget_usd', 'budget in US dollars used up'],
  ['structured_output_retries', 'limit of retries for structured output reached'],
]);

/** What an agent's stream itself calls a failed turn. */
export const reportedFailures: Rule = {
  turn(fact, conversation) {
    if (fact.change !== 'ended' || !fact.failure) return undefined;
    return { ...judgeTurn(fact.failure, conversation), sessionId: fact.sessionId };
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
    case 'failed':
      return failedTurn(failure.words ?? 'no reason given', conversation, failure.saysSuccess ? 'success' : undefined);
  }
}

/**
 * A turn that failed, filed under what its words are about.
 * @param words in the agent's own words
 * @param reported what its result says, if that is something else
 */
function failedTurn(words: string, conversation: Conversation, reported?: string): FailureFinding {
  const failure = classOfText(words);
  const why = oneLine(readable(words), 240).replace(/[.…\s]+$/, '');
  const [turn] = conversation.turns.values();
  const tried = turn && turn.retries > 0 ? ` after ${turn.retries} ${turn.retries === 1 ? 'retry' : 'retries'}` : '';
  const isLogin = failure === 'authentication';
  const how =
    isLogin && !/^\W*not (?:logged|signed) in/i.test(why) ? 'Not logged in: ' : isLogin ? '' : `Turn failed${tried}: `;
  const what = `${how}${why}${reported === undefined ? '' : `. (The agent reported \`${reported}\`.)`}`;
  const advice = isLogin ? loginAdvice(conversation, words) : adviceFor(failure, words);
  const code = isLogin ? 'authentication-required' : failure === 'missing-executable' ? failure : 'failed-turn';
  return { code, level: 'error', what, cause: causeOf(failure), ...(advice !== undefined && { advice }) };
}
