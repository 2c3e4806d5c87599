import { t } from '../../text/translator';
import { boundedJson } from '../../text/boundedJson';
import type { EndCause } from '../../wire/termination';
import type { Conversation } from '../conversation/conversation';
import type { Rule } from '../rule';
import { isBeginning } from '../../protocols/lifecycle';
import type { JunkFact, ProcessFact, ResponseFact } from '../../work/facts';
import { isFirst } from '../../work/methodRole';
import { peer } from '../../protocols/terms';

/**
 * A response to the client's first request that is unusable, so that waiting for another is pointless. Errors of the line itself are reported by
 * other rules.
 */
export class UnusableAnswers implements Rule {
  /** What is wrong with the response; cleared by one that matches a request. */
  unusableAnswer: EndCause | undefined;

  process({ event }: ProcessFact): undefined {
    if (isBeginning(event)) this.unusableAnswer = undefined;
  }

  response(answer: ResponseFact, conversation: Conversation): undefined {
    if (answer.dir !== 'a2c') return;
    if (answer.request) this.unusableAnswer = undefined;
    else if (isAsking(conversation)) this.unusableAnswer ??= judgeResponse(answer);
  }

  junk(fact: JunkFact, conversation: Conversation): undefined {
    if (fact.dir === 'a2c' && isAsking(conversation)) this.unusableAnswer ??= judgeJunk(fact, conversation);
  }
}

function isAsking({ initializeResult, work }: Conversation): boolean {
  return !initializeResult && work.requests.judged.some((asked) => asked.direction === 'out' && isFirst(asked));
}

function judgeJunk({ why, event }: JunkFact, { protocol }: Conversation): EndCause | undefined {
  if (why !== 'not-json' || protocol === 'lsp') return undefined;
  const line = event.line.trim();
  if (/^Content-Length: ?\d+$/i.test(line)) {
    return {
      what: t('it puts a header before its messages, as language servers do'),
      advice: t(
        'If it is a language server, set its `protocol` to `lsp`. Otherwise, it must write each message as one line of JSON.',
      ),
    };
  }
  if (/^"jsonrpc"\s*:\s*"2\.0",?$/.test(line)) {
    return {
      what: t('its message spans several lines'),
      advice: t('Bug in the {0}: each message must be one line of JSON.', peer),
    };
  }
  return undefined;
}

/** A result that matches no request. An error without a request may mean that the agent couldn't read one. */
function judgeResponse({ id, request, late, result }: ResponseFact): EndCause | undefined {
  if (request || late || id === undefined || result === undefined) return undefined;
  return {
    what: t('its answer has the ID {0}, which no request has', boundedJson(id, 60)),
    advice: t('Bug in the {0}: a response must have the ID of its request, in the same type.', peer),
  };
}
