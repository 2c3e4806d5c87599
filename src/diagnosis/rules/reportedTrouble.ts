import { t, verbatim } from '../../log/translator';
import { oneLine } from '../../log/text';
import type { ActivityFact, LimitFact, NoticeFact, RetryFact } from '../../protocols/activity/activity';
import { tellsOfFallback } from '../../protocols/activity/troubleText';
import type { Conversation } from '../conversation/conversation';
import { causeOf, causes } from '../causes';
import { adviceFor, classOfFailure } from '../failures/failureClass';
import type { Findings, Found, Rule } from '../rule';
import type { StderrTrouble } from '../conversation/troubles';
import { limitText } from '../conversation/troubles';
import type { WireStderr } from '../../wire/wireEvent';

const waitAdvice = adviceFor('rate-limit');

/** Problems that an agent reports about its model and account, or mentions on standard error: retries, limits, another model. */
export const reportedTrouble: Rule = {
  stderr({ event }, conversation) {
    const trouble = conversation.troubleOnStderr(event);
    const found = trouble && judgeStderr(trouble, event, conversation);
    return found && { ...found, sessionId: conversation.sessionIn(event.line) };
  },
  // In a turn, the end of the turn reports the outcome.
  retry: (fact, conversation) => (isInTurn(fact, conversation) ? undefined : placed(fact, judgeRetry(fact))),
  limit(fact, conversation) {
    const found = judgeLimit(fact);
    const isInTurn = conversation.turns.has(fact.sessionId ?? '');
    return placed(fact, isInTurn ? { ...found, level: 'notice' } : found);
  },
  model(fact) {
    if (!fact.isFallback) return undefined;
    const to = fact.to === undefined ? t('another model') : oneLine(fact.to, 100);
    const what = t('The model refused; the turn continues with {0}', to);
    return placed(fact, { code: 'model-fallback', level: 'notice', what });
  },
  notice(fact, conversation) {
    return fact.about === 'error' ? undefined : placed(fact, judgeNotice(fact, conversation));
  },
};

/** In a turn, the end of the turn reports the outcome. */
function judgeStderr(trouble: StderrTrouble, event: WireStderr, conversation: Conversation): Found | undefined {
  const words = oneLine(trouble.words, 200);
  if (trouble.type === 'fallback') {
    if (conversation.hasChosenModel(event.t)) return undefined;
    return { code: 'model-fallback', level: 'notice', what: t('Model changed (on stderr): "{0}"', words) };
  }
  if (conversation.turnNamedIn(event.line) || !trouble.isLevelled || !trouble.isCertain) return undefined;
  if (trouble.failure === 'rate-limit') {
    const what = t('Rate limited (on stderr): "{0}"', words);
    return { code: 'rate-limited', level: 'warning', what, cause: causeOf('rate-limit'), advice: waitAdvice };
  }
  if (!trouble.isRetry) return undefined;
  return { code: 'retrying', level: 'notice', what: t('Retrying (on stderr): "{0}"', words), cause: causes.retrying };
}

/** Adds the session. */
function placed({ sessionId }: ActivityFact, found: Found | undefined): Findings {
  return found ? { ...found, sessionId } : undefined;
}

/** A stream runs one turn at a time. */
function isInTurn({ sessionId }: RetryFact, { protocol, turns }: Conversation): boolean {
  return protocol === 'stream-json' ? turns.size > 0 : turns.has(sessionId ?? '');
}

function judgeRetry({ change, message, details, reason, isLimit }: RetryFact): Found | undefined {
  if (change !== 'retrying' || message === undefined) return undefined;
  if (reason !== undefined) {
    const code = isLimit === true ? 'rate-limited' : 'retrying';
    const cause = isLimit === true ? causeOf('rate-limit') : causes.retrying;
    return {
      code,
      level: 'warning',
      what: verbatim(message),
      cause,
      key: 'api_retry',
      advice: isLimit === true ? waitAdvice : undefined,
    };
  }
  const words = details ?? message;
  const failure = classOfFailure(`${message} ${words}`);
  const code = failure === 'rate-limit' ? 'rate-limited' : 'retrying';
  return { code, level: 'notice', what: t('Retrying: {0}', oneLine(words, 240)), cause: causeOf(failure) };
}

function judgeLimit(fact: LimitFact): Found {
  const code = 'rate-limited';
  const what = limitText(fact);
  switch (fact.state) {
    case 'covered':
      return { code, level: 'notice', what: t('{0}: extra usage is billed', what), key: 'overage' };
    case 'reached':
      return { code, level: 'warning', what, key: 'limit', advice: waitAdvice };
    case 'near':
      return { code, level: 'notice', what, key: 'near' };
  }
}

function judgeNotice({ about, text, event }: NoticeFact, conversation: Conversation): Found | undefined {
  if (about === 'transcript') {
    return { code: 'failed-request', level: 'warning', what: t('Transcript not saved: {0}', oneLine(text, 200)) };
  }
  if (!tellsOfFallback(text) || conversation.hasChosenModel(event.t)) return undefined;
  return { code: 'model-fallback', level: 'notice', what: verbatim(oneLine(text, 300)), key: text };
}
