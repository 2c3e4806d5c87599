import { boundedJson } from '../../log/boundedJson';
import { objectOf } from '../../protocols/json';
import type { Conversation } from '../conversation/conversation';
import type { Report, Rule } from '../rule';
import type { Seen } from '../seen';
import { otherProtocolIn } from '../rules/otherProtocols';

/** What the answer to `initialize` says of the version (ACP "Initialization", MCP "Lifecycle"). */
export class Versions implements Rule {
  looksAt(): boolean {
    return false;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if (
      seen.type !== 'response' ||
      seen.dir !== 'a2c' ||
      conversation.protocol === 'lsp' ||
      seen.request?.method !== 'initialize' ||
      seen.error ||
      otherProtocolIn(seen, conversation) !== undefined
    ) {
      return;
    }
    const offered = conversation.initializeParams?.['protocolVersion'];
    const answered = objectOf(seen.result)['protocolVersion'];
    const place = { at: seen.event.t, raw: seen.event.line };
    const isRight = conversation.protocol === 'acp' ? Number.isInteger(answered) : typeof answered === 'string';
    if (!isRight) {
      return report({
        code: 'protocol-violation',
        level: 'warning',
        what: `the answer to initialize has ${answered === undefined ? 'no `protocolVersion`' : `the \`protocolVersion\` ${boundedJson(answered, 60)}`}`,
        advice:
          conversation.protocol === 'acp' ? 'It is a whole number, 1 for now.' : 'It is a date, such as "2025-11-25".',
        key: 'protocolVersion',
        ...place,
      });
    }
    if (offered === undefined || answered === offered) return;
    const isOlder = isBefore(answered, offered);
    const versions = `the agent answers version ${boundedJson(answered, 60)}, and ${boundedJson(offered, 60)} was offered`;
    report({
      code: 'version-not-spoken',
      level: isOlder ? 'notice' : 'error',
      what: versions,
      advice: isOlder
        ? 'Both use the older one if the client supports it.'
        : 'Use a version of the agent or the client that supports the same protocol version.',
      ...place,
    });
  }
}

/** Numbers, or dates in ISO 8601. */
function isBefore(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return typeof a === 'string' && typeof b === 'string' && a < b;
}
