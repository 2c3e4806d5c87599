import { boundedJson } from '../../log/boundedJson';
import type { Protocol } from '../../log/protocol';
import type { ResponseFact } from '../../protocols/facts';
import { objectOf } from '../../protocols/json';
import { agentOf, otherProtocol, protocolSetting } from '../../protocols/otherProtocol';
import type { Conversation } from '../conversation/conversation';
import type { Findings, Rule } from '../rule';

const versionAdvice = 'Use a version of the agent or the client that supports the same protocol version.';

/** What the response to `initialize` says of the protocol and its version (ACP "Initialization", MCP "Lifecycle"). */
export const versions: Rule = {
  response(answer, conversation) {
    if (answer.dir !== 'a2c' || answer.request?.method !== 'initialize') return undefined;
    const other = otherProtocolIn(answer, conversation);
    if (other === undefined) return answer.error ? undefined : judge(answer, conversation);
    const what = `\`initialize\` was answered by ${agentOf(other)}`;
    const advice = `Set ${protocolSetting(other)}.`;
    return { code: 'version-not-spoken', level: 'error', what, advice, cause: 'wrong protocol' };
  },
};

/** The protocol that a response to `initialize` is of, if that is another. Nothing else that is wrong with it matters then. */
export function otherProtocolIn(answer: ResponseFact, { protocol }: Conversation): Protocol | undefined {
  if (answer.dir !== 'a2c' || answer.request?.method !== 'initialize') return undefined;
  return otherProtocol(protocol, answer.error ? { error: answer.error.message } : { result: answer.result });
}

function judge({ result }: ResponseFact, { protocol, initializeParams }: Conversation): Findings {
  if (protocol === 'lsp') return undefined;
  const offered = initializeParams?.['protocolVersion'];
  const answered = objectOf(result)['protocolVersion'];
  const isRight = protocol === 'acp' ? Number.isInteger(answered) : typeof answered === 'string';
  if (!isRight) {
    const has = answered === undefined ? 'no `protocolVersion`' : `\`protocolVersion\`: ${boundedJson(answered, 60)}`;
    const advice =
      protocol === 'acp' ? 'Expected a whole number, such as 1.' : 'Expected a date, such as "2025-11-25".';
    const what = `The response to \`initialize\` has ${has}`;
    return { code: 'protocol-violation', level: 'warning', what, advice, key: 'protocolVersion' };
  }
  if (offered === undefined || answered === offered) return undefined;
  const isOlder = isBefore(answered, offered);
  return {
    code: 'version-not-spoken',
    level: isOlder ? 'notice' : 'error',
    what: `The agent speaks version ${boundedJson(answered, 60)}; the client offered ${boundedJson(offered, 60)}`,
    advice: isOlder ? 'Both use the older version if the client supports it.' : versionAdvice,
    cause: 'unsupported version',
  };
}

/** Numbers, or dates in ISO 8601. */
function isBefore(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return typeof a === 'string' && typeof b === 'string' && a < b;
}
