import { agentOf, otherProtocol, protocolSetting } from '../../protocols/otherProtocol';
import type { Conversation } from '../conversation/conversation';
import type { Rule } from '../rule';
import type { ResponseFact } from '../../protocols/facts';
import type { Protocol } from '../../log/protocol';

/** Agents that speak another protocol than they are spoken to in, where their answer to `initialize` tells. */
export const otherProtocols: Rule = {
  response(answer, conversation) {
    const other = otherProtocolIn(answer, conversation);
    if (other === undefined) return undefined;
    return {
      code: 'version-not-spoken',
      level: 'error',
      what: `\`initialize\` was answered by ${agentOf(other)}`,
      advice: `Set ${protocolSetting(other)}.`,
    };
  },
};

/** The protocol that an answer to `initialize` is of, where that is another. Nothing else that is wrong with it matters then. */
export function otherProtocolIn(answer: ResponseFact, { protocol }: Conversation): Protocol | undefined {
  if (answer.dir !== 'a2c' || answer.request?.method !== 'initialize') return undefined;
  return otherProtocol(protocol, answer.error ? { error: answer.error.message } : { result: answer.result });
}
