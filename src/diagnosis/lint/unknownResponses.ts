import { boundedJson } from '../../log/boundedJson';
import type { Conversation } from '../conversation/conversation';
import { errorText } from '../failures/errorText';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';

/** Answers of the agent to no open request: a second one, one to a request that never was, or the complaint that nothing could be read. */
export class UnknownResponses implements Rule {
  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (seen.type !== 'response' || seen.dir !== 'a2c' || seen.request) return;
    const place = { at: seen.event.t, raw: seen.event.line };
    if (seen.id === undefined) {
      if (seen.msg['id'] !== null || !seen.error) return; // an id of a wrong type is told of elsewhere
      const what = `The agent couldn't parse what it was sent: ${errorText(seen.error)}`;
      return report({ code: 'malformed-message', level: 'warning', what, key: 'unread', ...place });
    }
    if (seen.late && seen.late.how !== 'answered') return; // a late answer
    const id = boundedJson(seen.id, 60);
    const before = seen.late?.request.method;
    const other = typeof seen.id === 'string' ? Number(seen.id) : String(seen.id);
    const isOtherType = conversation.find('out', other) !== undefined;
    report({
      code: 'unknown-response',
      level: 'warning',
      what: before === undefined ? `Response to no request (ID ${id})` : `Second response to ${before} (id ${id})`,
      advice: isOtherType
        ? `A request with the id ${boundedJson(other, 60)} is open: an answer has the id of its request in the same type, string or number.`
        : 'Answer each request once, with its own ID.',
      ...place,
    });
  }
}
