import { t } from '../../log/translator';
import { oneLine } from '../../log/text';
import { causeOf } from '../causes';
import { adviceFor } from '../failures/failureClass';
import type { Findings, Rule } from '../rule';

/** Limits, retries and model changes that only standard error mentions. In a turn, the end of the turn reports the outcome. */
export const troubleOnStderr: Rule = {
  stderr({ event }, conversation): Findings {
    const trouble = conversation.troubleOnStderr(event);
    if (!trouble) return undefined;
    const sessionId = conversation.sessionIn(event.line);
    const words = oneLine(trouble.words, 200);
    if (trouble.type === 'fallback') {
      if (conversation.hasChosenModel(event.t)) return undefined;
      return { code: 'model-fallback', level: 'notice', what: t('Model changed (on stderr): "{0}"', words), sessionId };
    }
    if (conversation.turnNamedIn(event.line) || !trouble.isLevelled) return undefined;
    if (trouble.failure === 'rate-limit') {
      const advice = adviceFor('rate-limit');
      const cause = causeOf('rate-limit');
      return {
        code: 'rate-limited',
        level: 'warning',
        what: t('Rate limited (on stderr): "{0}"', words),
        cause,
        ...(advice !== undefined && { advice }),
        sessionId,
      };
    }
    if (!trouble.isRetry) return undefined;
    return {
      code: 'retrying',
      level: 'notice',
      what: t('Retrying (on stderr): "{0}"', words),
      cause: t('retrying'),
      sessionId,
    };
  },
};
