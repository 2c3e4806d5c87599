import { t, verbatim } from '../../text/translator';
import { oneLine } from '../../text/text';
import type { LimitFact, NoticeFact, RetryFact } from '../../work/activity';
import { tellsOfFallback, tellsOfLack } from '../../work/troubleText';
import type { Conversation } from '../conversation/conversation';
import { opensSession } from '../../work/methodRole';
import { causeOf, causes } from '../causes';
import { adviceFor } from '../failures/failureAdvice';
import { classOfFailure } from '../../work/failures/failureClass';
import { loggedIn, loginAdvice, loginKey, loginSubjects } from '../failures/loginAdvice';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { standing } from '../diagnosis';
import type { Found, Rule } from '../rule';
import type { StderrTrouble } from '../conversation/troubles';
import { limitText } from '../../work/turnTroubles';
import type { StderrEntry } from '../../work/facts';
import { peer } from '../../protocols/terms';

const waitAdvice = adviceFor('rate-limit');

/** Problems that an agent reports about its model and account, or mentions on standard error: retries, limits, another model. */
export const reportedTrouble: Rule = {
  stderr({ entry }, conversation) {
    return conversation.troubles.map((trouble) => {
      const found = judgeStderr(trouble, entry, conversation);
      return found && { ...found, sessionId: conversation.sessionIn(entry.raw) };
    });
  },
  // In a turn, the end of the turn reports the outcome.
  retry: (fact, conversation) => (isInTurn(fact, conversation) ? undefined : judgeRetry(fact)),
  limit(fact, conversation) {
    const found = judgeLimit(fact);
    return conversation.turnOf(fact.sessionId) ? { ...found, level: 'notice' } : found;
  },
  model({ isFallback, to }) {
    if (!isFallback) return undefined;
    const name = to === undefined ? t('another model') : oneLine(to, 100);
    return { code: 'model-fallback', level: 'notice', what: t('The model refused; the turn continues with {0}', name) };
  },
  notice: (fact, conversation) => (fact.about === 'error' ? undefined : judgeNotice(fact, conversation)),
};

/** In a turn, the end of the turn reports the outcome. */
function judgeStderr(
  trouble: StderrTrouble,
  { t: at, raw }: StderrEntry,
  conversation: Conversation,
): Found | undefined {
  const words = oneLine(trouble.words, 200);
  if (trouble.type === 'fallback') {
    if (conversation.hasChosenModel(at) && !tellsOfLack(trouble.words)) return undefined;
    return { code: 'model-fallback', level: 'notice', what: t('Model changed (on stderr): "{0}"', words) };
  }
  if (conversation.turnNamedIn(raw) || !trouble.isLevelled || !trouble.isCertain) return undefined;
  if (trouble.failure === 'rate-limit') {
    const what = t('Rate limited (on stderr): "{0}"', words);
    // The answer reports the outcome.
    const isOpening = conversation.work.requests.judged.some(
      (request) => request.direction === 'out' && opensSession(request),
    );
    const level = isOpening ? 'notice' : 'warning';
    return { code: 'rate-limited', level, what, cause: causeOf('rate-limit'), advice: waitAdvice };
  }
  if (!trouble.isRetry) return undefined;
  return { code: 'retrying', level: 'notice', what: t('Retrying (on stderr): "{0}"', words), cause: causes.retrying };
}

/** A stream runs one turn at a time. */
function isInTurn({ sessionId }: RetryFact, conversation: Conversation): boolean {
  return conversation.protocol === 'stream-json' ? conversation.hasTurns : conversation.turnOf(sessionId) !== undefined;
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
  if (!tellsOfFallback(text) || (conversation.hasChosenModel(event.t) && !tellsOfLack(text))) return undefined;
  return { code: 'model-fallback', level: 'notice', what: verbatim(oneLine(text, 300)), key: text };
}

/** Agents that report that they aren't logged in. Only a notice: some work anyway, and failures are reported when they occur. */
export const authStatus: Rule = {
  // ACP 1 (unstable), and its form in claude-agent-acp and codex-acp.
  methods: new Set(['auth/status_update', '_auth/status_update']),

  notification({ dir, params, sessionId }, conversation) {
    if (dir !== 'a2c') return undefined;
    const status = objectOf(params['authStatus'] ?? params['status']);
    const { kind } = status;
    if (kind !== 'none' && kind !== 'unauthenticated' && kind !== 'expired') {
      return kind === undefined ? undefined : loggedIn();
    }
    const label = textOf(status['label']) ?? textOf(status['detail']);
    return {
      code: 'authentication-required',
      level: 'notice',
      what: label === undefined ? t('Not logged in') : t('The {1} says: "{0}"', oneLine(label, 200), peer),
      advice: loginAdvice(conversation),
      key: loginKey,
      delivery: standing(loginSubjects.status),
      sessionId,
    };
  },
};

/** copilot-language-server (seen in 1.539.0) uses `didChangeStatus/v2` to report that it isn't signed in. */
export const copilotLanguageServer: Rule = {
  methods: new Set(['didChangeStatus/v2']),

  notification({ dir, params }, conversation) {
    if (dir !== 'a2c') return undefined;
    const states = arrayOf(params['statuses'])
      .slice(0, 20)
      .map(objectOf)
      .filter(({ category }) => category === 'auth');
    const auth = states.find(({ kind }) => kind === 'Error');
    if (!auth) return states.length > 0 ? loggedIn() : undefined;
    return {
      code: 'authentication-required',
      level: 'warning',
      what: t('The {1} says: "{0}"', oneLine(textOf(auth['message']) ?? 'Not signed in', 200).replace(/\.$/, ''), peer),
      advice: loginAdvice(conversation),
      key: loginKey,
      delivery: standing(loginSubjects.status),
    };
  },
};
