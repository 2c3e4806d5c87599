import { boundedJson } from '../../log/boundedJson';
import { objectOf } from '../../protocols/json';
import type { Rule } from '../rule';
import { otherProtocolIn } from '../rules/otherProtocols';

/** What the answer to `initialize` says of the version (ACP "Initialization", MCP "Lifecycle"). */
export const versions: Rule = {
  response(answer, conversation) {
    if (
      answer.dir !== 'a2c' ||
      conversation.protocol === 'lsp' ||
      answer.request?.method !== 'initialize' ||
      answer.error ||
      otherProtocolIn(answer, conversation) !== undefined
    ) {
      return undefined;
    }
    const offered = conversation.initializeParams?.['protocolVersion'];
    const answered = objectOf(answer.result)['protocolVersion'];
    const isRight = conversation.protocol === 'acp' ? Number.isInteger(answered) : typeof answered === 'string';
    if (!isRight) {
      return {
        code: 'protocol-violation',
        level: 'warning',
        what: `the answer to initialize has ${answered === undefined ? 'no `protocolVersion`' : `the \`protocolVersion\` ${boundedJson(answered, 60)}`}`,
        advice:
          conversation.protocol === 'acp' ? 'It is a whole number, 1 for now.' : 'It is a date, such as "2025-11-25".',
        key: 'protocolVersion',
      };
    }
    if (offered === undefined || answered === offered) return undefined;
    const isOlder = isBefore(answered, offered);
    const what = `the agent answers version ${boundedJson(answered, 60)}, and ${boundedJson(offered, 60)} was offered`;
    return {
      code: 'version-not-spoken',
      level: isOlder ? 'notice' : 'error',
      what,
      advice: isOlder
        ? 'Both use the older one if the client supports it.'
        : 'Use a version of the agent or the client that supports the same protocol version.',
    };
  },
};

/** Numbers, or dates in ISO 8601. */
function isBefore(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return typeof a === 'string' && typeof b === 'string' && a < b;
}
