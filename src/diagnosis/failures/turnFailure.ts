import { standing } from '../diagnosis';
import { patience } from './calls/calledAgain';
import type { Words } from '../../text/translator';
import { inEnglish, t, verbatim } from '../../text/translator';
import { oneLine } from '../../text/text';
import type { Conversation } from '../conversation/conversation';
import type { Found } from '../rule';
import { readable, withoutStop } from '../../work/failures/errorText';
import type { Turn } from '../../work/turn';
import { causeOf } from '../causes';
import { adviceOn } from './failureAdvice';
import { classOfFailure } from '../../work/failures/failureClass';
import type { FailureClass } from '../../work/failures/failurePatterns';
import { loginSubjects, missingLogin } from './loginAdvice';
import { innermost } from './turnCause';

export interface TurnFailed {
  /** In the agent's words; empty if it gives no reason. */
  readonly why: string;
  /** The kind of failure, if more than the words determines it. */
  readonly failure?: FailureClass;
  readonly retries?: number | undefined;
  /** Duration in milliseconds, if known. */
  readonly took?: number | undefined;
  /** The stop reason that the agent reported, if it isn't one of a failure. */
  readonly reported?: string | undefined;
  /** The error's code and data. */
  readonly code?: number | undefined;
  readonly data?: unknown;
  /** What else was said during it may be the cause. */
  readonly turn?: Turn | undefined;
}

const maxWhy = 240;

/** The finding about a failed turn. All rules use this, so that they agree. */
export function turnFailure(failed: TurnFailed, conversation: Conversation): Found {
  const { reported, data } = failed;
  const said = { words: failed.why, failure: failed.failure ?? classOfFailure(failed.why) };
  const { words: why, failure } = innermost(said, failed.turn);
  const own = oneLine(withoutStop(readable(why)), maxWhy);
  const cause = causeOf(failure);
  // The cause may be in a field only.
  const words =
    !cause || classOfFailure(own) === failure ? verbatim(own) : own === '' ? cause : t('{0} · {1}', own, cause);
  const advice = adviceOn(failure, own, conversation, data);
  if (failure === 'authentication') {
    const what = /^\W*not (?:logged|signed) in/i.test(inEnglish(words)) ? words : t('Not logged in: {0}', words);
    return {
      code: 'authentication-required',
      level: 'error',
      what: withReport(what, reported),
      cause,
      advice,
      ...missingLogin(loginSubjects.turns, conversation, failed.code),
    };
  }
  const after = failedAfter(failed);
  const { turn } = failed;
  return {
    code: failure === 'missing-executable' ? failure : 'failed-turn',
    level: 'error',
    what: withReport(own === '' && !cause ? after : t('{0}: {1}', after, words), reported),
    cause,
    advice,
    ...(failure === 'no-session' && { offers: 'saved-sessions' }),
    // Another subagent may do its work.
    ...(turn?.parent !== undefined && { delivery: standing(subagentSubject(turn.sessionId), patience) }),
  };
}

/** The problem that the turn of a subagent failed. @param id of its session */
export function subagentSubject(id: string): string {
  return `subagent ${id}`;
}

function failedAfter({ retries = 0, took, turn }: TurnFailed): Words {
  if (turn?.parent !== undefined) {
    return took === undefined ? t('Subagent failed') : t('Subagent failed after {0}', { ms: took });
  }
  if (retries === 1) return t('Turn failed after 1 retry');
  if (retries > 1) return t('Turn failed after {0} retries', retries);
  return took === undefined ? t('Turn failed') : t('Turn failed after {0}', { ms: took });
}

/** Adds the stop reason that the agent reported, if it isn't one of a failure. */
export function withReport(what: Words, reported: string | undefined): Words {
  return reported === undefined ? what : t('{0}. (The agent reported `{1}`.)', what, reported);
}
