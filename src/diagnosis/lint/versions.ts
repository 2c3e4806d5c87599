import { t } from '../../text/translator';
import { boundedJson } from '../../text/boundedJson';
import type { Protocol } from '../../wire/protocol';
import type { ResponseFact } from '../../work/facts';
import { objectOf, textOf } from '../../text/json';
import { agentOf, otherProtocol, protocolSetting } from '../../protocols/otherProtocol';
import type { Conversation } from '../conversation/conversation';
import { causes } from '../causes';
import type { Findings, Rule } from '../rule';
import { peer } from '../../protocols/terms';

export const versionAdvice = t('Use a version of the {0} or the client that supports the same protocol version.', peer);

/** Updates that exist in only one version of ACP. */
const ofVersion1 = new Set(['tool_call', 'current_mode_update']);
const ofVersion2 = new Set(['state_update', 'tool_call_content_chunk', 'terminal_update', 'terminal_output_chunk']);

/** Checks the protocol and its version in the response to `initialize` (ACP "Initialization", MCP "Lifecycle"). */
export const versions: Rule = {
  methods: new Set(['session/update']),

  /** Reports an agent that switches to the messages of another version. */
  notification({ dir, params }, conversation) {
    if (dir !== 'a2c' || conversation.protocol !== 'acp' || !conversation.initializeResult) return undefined;
    const kind = textOf(objectOf(params['update'])['sessionUpdate']) ?? '';
    const negotiated = conversation.isAcpVersion2 ? 2 : 1;
    const other = ofVersion1.has(kind) ? 1 : ofVersion2.has(kind) ? 2 : negotiated;
    if (other === negotiated) return undefined;
    return {
      code: 'protocol-violation',
      level: 'warning',
      what: t(
        'Switched protocol version: `{0}` is version {1}, but version {2} was negotiated',
        kind,
        other,
        negotiated,
      ),
      advice: t('Send every message in the version that `initialize` was answered with.'),
      key: 'version switch',
    };
  },

  response(answer, conversation) {
    if (answer.dir !== 'a2c' || answer.request?.method !== 'initialize') return undefined;
    const other = otherProtocolIn(answer, conversation);
    if (other === undefined) return answer.error ? undefined : judge(answer, conversation);
    const what = t('`initialize` was answered by {0}', agentOf(other));
    const advice = t('Set {0} in agentLogs.agents.', protocolSetting(other));
    return { code: 'version-not-spoken', level: 'error', what, advice, cause: causes.wrongProtocol };
  },
};

/** The protocol of a response to `initialize` that belongs to another protocol, which makes its other errors irrelevant. */
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
    const advice =
      protocol === 'acp' ? t('Expected a whole number, such as 1.') : t('Expected a date, such as "2025-11-25".');
    const what =
      answered === undefined
        ? t('The response to `initialize` has no `protocolVersion`')
        : t('The response to `initialize` has `protocolVersion`: {0}', boundedJson(answered, 60));
    return { code: 'protocol-violation', level: 'warning', what, advice, key: 'protocolVersion' };
  }
  if (offered === undefined || answered === offered) return undefined;
  const isOlder = isBefore(answered, offered);
  // An ACP agent that speaks version 1 is offered version 2 first.
  if (protocol === 'acp' && isOlder) return undefined;
  return {
    code: 'version-not-spoken',
    // An older version is ordinary negotiation.
    level: isOlder ? 'debug' : 'error',
    what: t(
      'The {2} speaks version {0}; the client offered {1}',
      boundedJson(answered, 60),
      boundedJson(offered, 60),
      peer,
    ),
    advice: isOlder ? t('Both use the older version if the client supports it.') : versionAdvice,
    cause: causes.unsupported,
  };
}

/** Compares numbers, or dates in ISO 8601. */
function isBefore(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return typeof a === 'string' && typeof b === 'string' && a < b;
}
