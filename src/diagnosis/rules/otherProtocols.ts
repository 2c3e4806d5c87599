import { agentOf, otherProtocol, protocolSetting } from '../../protocols/otherProtocol';
import type { Conversation } from '../conversation/conversation';
import type { Report, Rule } from '../rule';
import type { Protocol } from '../../log/protocol';
import type { Seen } from '../seen';

/** Agents that speak another protocol than they are spoken to in, where their answer to `initialize` tells. */
export class OtherProtocols implements Rule {
  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    const other = otherProtocolIn(seen, conversation);
    if (other === undefined || seen.type !== 'response') return;
    report({
      code: 'version-not-spoken',
      level: 'error',
      what: `\`initialize\` was answered by ${agentOf(other)}`,
      advice: `Set ${protocolSetting(other)}.`,
      at: seen.event.t,
      raw: seen.event.line,
    });
  }
}

/** The protocol that an answer to `initialize` is of, where that is another. Nothing else that is wrong with it matters then. */
export function otherProtocolIn(seen: Seen, { protocol }: Conversation): Protocol | undefined {
  if (seen.type !== 'response' || seen.dir !== 'a2c' || seen.request?.method !== 'initialize') return undefined;
  return otherProtocol(protocol, seen.error ? { error: seen.error.message } : { result: seen.result });
}
