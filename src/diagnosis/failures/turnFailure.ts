import { oneLine } from '../../log/text';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import { readable } from './errorText';
import { causeOf } from '../causes';
import { adviceFor, classOfFailure } from './failureClass';
import type { FailureClass } from './failurePatterns';
import { loginAdvice, loginKey } from './loginAdvice';

export type TurnFinding = Pick<Finding, 'code' | 'level' | 'what' | 'advice' | 'cause' | 'key'>;

interface TurnFailed {
  /** In the agent's words, if it gives a reason. */
  readonly why?: string;
  /** The kind of failure, if more than the words determines it. */
  readonly failure?: FailureClass;
  readonly retries?: number | undefined;
  /** ` after 12 s`, if known. */
  readonly afterTime?: string;
  /** The stop reason that the agent reported, if it isn't one of a failure. */
  readonly reported?: string | undefined;
  /** The error's data. */
  readonly data?: unknown;
}

const maxWhy = 240;

/** The finding about a failed turn. All rules use this, so that they agree. */
export function turnFailure(turn: TurnFailed, conversation: Conversation): TurnFinding {
  const { why = '', failure = classOfFailure(why), reported, data } = turn;
  const said = oneLine(readable(why), maxWhy).replace(/[.…\s]+$/, '');
  const cause = causeOf(failure);
  // The cause may be in a field only.
  const words = classOfFailure(said) === failure ? said : [said, cause].filter(Boolean).join(' · ');
  const suffix = reported === undefined ? '' : `. (The agent reported \`${reported}\`.)`;
  if (failure === 'authentication') {
    const what = `${/^\W*not (?:logged|signed) in/i.test(words) ? '' : 'Not logged in: '}${words}${suffix}`;
    const advice = loginAdvice(conversation, words, data);
    return { code: 'authentication-required', level: 'error', what, cause, advice, key: loginKey };
  }
  const advice = adviceFor(failure, words);
  return {
    code: failure === 'missing-executable' ? failure : 'failed-turn',
    level: 'error',
    what: `Turn failed${afterRetries(turn.retries) || (turn.afterTime ?? '')}${words === '' ? '' : `: ${words}`}${suffix}`,
    cause,
    ...(advice !== undefined && { advice }),
  };
}

/** ` after 2 retries`, or an empty string. */
export function afterRetries(retries = 0): string {
  return retries === 0 ? '' : ` after ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
}
