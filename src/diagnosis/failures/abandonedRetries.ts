import { classOfFailure } from '../../work/failures/failureClass';
import type { EndedTurn, Turn } from '../../work/turn';
import { isRetrying } from '../../work/turn';
import { oneLine } from '../../text/text';
import type { Words } from '../../text/translator';
import { t } from '../../text/translator';
import { causeOf } from '../causes';
import type { Found } from '../rule';
import { readable, withoutStop } from '../../work/failures/errorText';
import { openCause } from './turnCause';
import { adviceFor } from './failureAdvice';

const maxWhy = 240;
/** After fewer, the user may just have changed their mind. */
const leastRetries = 2;

/** The finding about a turn that ended, or whose log ends, while it was retrying: what its provider said is the problem. */
export function abandonedRetries(turn: Turn, how: Words): Found | undefined {
  const { retries, maxRetries, trouble, sessionId } = turn;
  if (!isRetrying(turn) || retries < leastRetries || trouble === undefined) return undefined;
  const { words, failure } = openCause(turn) ?? {
    words: trouble.message,
    failure: classOfFailure(trouble.message),
  };
  const count =
    maxRetries === undefined || maxRetries <= retries
      ? t('{0} after {1} retries', how, retries)
      : t('{0} after {1} of {2} retries', how, retries, maxRetries);
  const took = 'took' in turn ? (turn as EndedTurn).took : undefined;
  const after = took === undefined ? count : t('{0} in {1}', count, { ms: took });
  const cause = causeOf(failure);
  const why = oneLine(withoutStop(readable(words)), maxWhy);
  const isTold = cause === undefined || classOfFailure(why) === failure;
  return {
    code: failure === 'rate-limit' ? 'rate-limited' : 'retrying',
    level: 'warning',
    what: isTold ? t('{0}: {1}', after, why) : t('{0} ({1}): {2}', after, cause, why),
    cause,
    advice: adviceFor(failure, why),
    key: 'abandoned',
    sessionId,
  };
}
