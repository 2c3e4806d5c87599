import { boundedJson } from '../../log/boundedJson';
import type { EndCause } from '../../log/termination';
import type { Conversation } from '../conversation/conversation';
import type { Rule } from '../rule';
import type { ResponseFact } from '../../protocols/facts';
import type { Seen } from '../seen';

/** What a client asks first. */
const greetings = new Set(['initialize', 'server/discover']);

/**
 * An answer to the client's first question that cannot be taken for one, however long it is waited for another. That something is wrong with
 * the line itself is told by others.
 */
export class UnusableAnswers implements Rule {
  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation): void {
    if (seen.event.dir !== 'a2c') return;
    if (seen.type === 'response' && seen.request) return void (conversation.unusableAnswer = undefined);
    if (conversation.initializeResult) return;
    const asked = conversation.firstOpen(({ direction, method }) => direction === 'out' && greetings.has(method));
    if (asked) conversation.unusableAnswer ??= judge(seen, conversation);
  }
}

function judge(seen: Seen, conversation: Conversation): EndCause | undefined {
  if (seen.type === 'response') return judgeResponse(seen);
  if (seen.type !== 'junk' || seen.why !== 'not-json' || conversation.protocol === 'lsp') return undefined;
  const line = seen.event.line.trim();
  if (/^Content-Length: ?\d+$/i.test(line)) {
    return {
      what: 'it puts a header before its messages, as language servers do',
      advice: 'If it is one, set its "protocol" to "lsp"; else it has to write each message as one line of JSON.',
    };
  }
  if (/^"jsonrpc"\s*:\s*"2\.0",?$/.test(line)) {
    return {
      what: 'its message spans several lines',
      advice: 'Bug in the agent: each message must be one line of JSON.',
    };
  }
  return undefined;
}

/** One that belongs to no request; that what was sent could not be read has no id. */
function judgeResponse({ id, request, late, result }: ResponseFact): EndCause | undefined {
  if (request || late || id === undefined || result === undefined) return undefined;
  return {
    what: `its answer has the id ${boundedJson(id, 60)}, and no request has that`,
    advice: 'Bug in the agent: a response must have the ID of its request, in the same type.',
  };
}
