import { boundedJson } from '../../log/boundedJson';
import { errorText } from '../failures/errorText';
import type { Rule } from '../rule';

/** Answers of the agent to no open request: a second one, one to a request that never was, or the complaint that nothing could be read. */
export const unknownResponses: Rule = {
  response(answer, conversation) {
    if (answer.dir !== 'a2c' || answer.request) return undefined;
    if (answer.id === undefined) {
      if (answer.msg['id'] !== null || !answer.error) return undefined; // an id of a wrong type is told of elsewhere
      const what = `The agent couldn't parse what it was sent: ${errorText(answer.error)}`;
      return { code: 'malformed-message', level: 'warning', what, key: 'unread' };
    }
    if (answer.late && answer.late.how !== 'answered') return undefined; // a late answer
    const id = boundedJson(answer.id, 60);
    const before = answer.late?.request.method;
    const other = typeof answer.id === 'string' ? Number(answer.id) : String(answer.id);
    const isOtherType = conversation.find('out', other) !== undefined;
    return {
      code: 'unknown-response',
      level: 'warning',
      what: before === undefined ? `Response to no request (ID ${id})` : `Second response to ${before} (id ${id})`,
      advice: isOtherType
        ? `A request with the id ${boundedJson(other, 60)} is open: an answer has the id of its request in the same type, string or number.`
        : 'Answer each request once, with its own ID.',
    };
  },
};
