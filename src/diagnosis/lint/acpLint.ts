import { l10n } from '../../log/translator';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf, textOf } from '../../protocols/json';
import { isLogMethod } from '../../protocols/acp/logMessage';
import type { NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import type { Conversation } from '../conversation/conversation';
import type { Found, Rule } from '../rule';
import { knownMethods, messages, newUpdates, results, updates } from './acpSchema';
import type { Fields } from './schema';
import { flawsIn, sentence } from './schema';

const ownFieldsAdvice = l10n.t('Put your own fields in `_meta` (ACP "Extensibility").');
const code = 'protocol-violation';

/** What ACP doesn't allow in the agent's messages. Of a cut message, only the remaining part is checked. */
export const acpLint: Rule = {
  request(fact, conversation) {
    if (!isWhole(fact)) return undefined;
    const { method } = fact.request;
    return [...ofMessage(method, fact.params, conversation), ...ofQuestion(method, conversation)];
  },

  notification(fact, conversation) {
    if (!isWhole(fact)) return undefined;
    const { method, params } = fact;
    const own = ofMessage(method, params, conversation);
    return method === 'session/update' && params['update'] !== undefined
      ? [...own, ...ofUpdate(params['update'], conversation)]
      : own;
  },

  response(fact, conversation) {
    const { request, result, error } = fact;
    if (!isWhole(fact) || !request || error) return undefined;
    const { method } = request;
    const fields = objectOf(result);
    if (method === 'session/prompt') {
      // In version 2, the response only accepts the prompt.
      const isAccepted = fields['stopReason'] === undefined && textOf(fields['messageId']) !== undefined;
      if (conversation.isAcpVersion2 || isAccepted) return undefined;
    }
    return flaws(`the response to \`${method}\``, fields, results.get(method), conversation).map((found) =>
      method === 'session/prompt' && found.isEnum ? { ...found, level: 'notice' } : found,
    );
  },
};

function isWhole({ dir, event }: RequestFact | NotificationFact | ResponseFact): boolean {
  return dir === 'a2c' && event.bytes === undefined;
}

function ofMessage(method: string, params: JsonObject, conversation: Conversation): readonly Found[] {
  const found = conversation.isAcpVersion2 ? [] : flaws(`\`${method}\``, params, messages.get(method), conversation);
  if (method.startsWith('_') || method.startsWith('$/') || knownMethods.has(method) || isLogMethod(method)) {
    return found;
  }
  const what = `Unknown method: \`${method.slice(0, 80)}\``;
  const advice = l10n.t(
    'Start the names of your own methods with an underscore, such as `_example.com/name` (ACP "Extensibility").',
  );
  return [...found, { code, level: 'notice', what, advice, key: what }];
}

/** An agent must not use capabilities that the client doesn't declare (ACP "Initialization"). */
function ofQuestion(method: string, conversation: Conversation): readonly Found[] {
  if (!conversation.initializeParams) return [];
  const fs = objectOf(conversation.clientCapabilities['fs']);
  const lacks =
    (method === 'fs/read_text_file' && fs['readTextFile'] !== true) ||
    (method === 'fs/write_text_file' && fs['writeTextFile'] !== true) ||
    (method.startsWith('terminal/') && !conversation.clientCapabilities['terminal']);
  return lacks ? [notDeclared(method, '`clientCapabilities`')] : [];
}

function ofUpdate(update: unknown, conversation: Conversation): readonly Found[] {
  const kind = isObject(update) ? textOf(update['sessionUpdate']) : undefined;
  if (!isObject(update) || kind === undefined) {
    return flaws(
      '`session/update`',
      { update },
      { fields: { update: { fields: { sessionUpdate: 'string' } } } },
      conversation,
    );
  }
  if (conversation.isAcpVersion2) return [];
  const schema = updates.get(kind);
  const found = [...flaws(`\`${kind}\``, update, schema ?? newUpdates.get(kind), conversation)];
  const { initializeParams, clientCapabilities } = conversation;
  if (kind === 'notice' && initializeParams && objectOf(clientCapabilities['session'])['notices'] === undefined) {
    found.push({ ...notDeclared('notice', '`clientCapabilities.session.notices`'), isEnum: false });
  }
  const own = schema ? Object.keys(update).filter((name) => !isKnown(name, schema)) : [];
  if (own.length === 0) return found;
  const names = own.slice(0, 5).map((name) => `\`${name.slice(0, 40)}\``);
  const what = `\`${kind}\` has unknown fields: ${names.join(', ')}`;
  return [...found, { code, level: 'notice', what, advice: ownFieldsAdvice, key: what }];
}

function isKnown(name: string, { fields }: Fields): boolean {
  return name === 'sessionUpdate' || name === '_meta' || name in fields || `${name}?` in fields;
}

function notDeclared(name: string, capability: string): Found {
  const what = `\`${name}\` was sent to a client that doesn't support it`;
  return { code, level: 'warning', what, advice: l10n.t('Check {0} first.', capability), key: what };
}

function flaws(
  name: string,
  value: JsonObject,
  schema: Fields | undefined,
  { initializeResult }: Conversation,
): readonly (Found & { readonly isEnum: boolean })[] {
  if (!schema) return [];
  return flawsIn(name, value, schema, { allowsNull: true, protocol: 'ACP' }).flatMap(({ what, ...rest }) =>
    // Version 2 has other values, and without `initialize` the version is unknown.
    rest.isEnum && !initializeResult ? [] : { code, level: 'warning', what: sentence(what), ...rest },
  );
}
