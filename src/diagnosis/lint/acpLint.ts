import { t } from '../../log/translator';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf, textOf } from '../../protocols/json';
import { isLogMethod } from '../../protocols/acp/logMessage';
import type { NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import type { Conversation } from '../conversation/conversation';
import type { Found, Rule } from '../rule';
import { knownMethods, messages, newUpdates, results, updates } from './acpSchema';
import type { Fields, Subject } from './schema';
import { flawsIn, notSupported } from './schema';

const ownFieldsAdvice = t('Put your own fields in `_meta` (ACP "Extensibility").');
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
    return flaws({ method }, fields, results.get(method), conversation).map((found) =>
      method === 'session/prompt' && found.isEnum ? { ...found, level: 'notice' } : found,
    );
  },
};

function isWhole({ dir, event }: RequestFact | NotificationFact | ResponseFact): boolean {
  return dir === 'a2c' && event.bytes === undefined;
}

function ofMessage(method: string, params: JsonObject, conversation: Conversation): readonly Found[] {
  const found = conversation.isAcpVersion2 ? [] : flaws(method, params, messages.get(method), conversation);
  if (method.startsWith('_') || method.startsWith('$/') || knownMethods.has(method) || isLogMethod(method)) {
    return found;
  }
  const name = method.slice(0, 80);
  const advice = t(
    'Start the names of your own methods with an underscore, such as `_example.com/name` (ACP "Extensibility").',
  );
  return [...found, { code, level: 'notice', what: t('Unknown method: `{0}`', name), advice, key: name }];
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
      'session/update',
      { update },
      { fields: { update: { fields: { sessionUpdate: 'string' } } } },
      conversation,
    );
  }
  if (conversation.isAcpVersion2) return [];
  const schema = updates.get(kind);
  const found = [...flaws(kind, update, schema ?? newUpdates.get(kind), conversation)];
  const { initializeParams, clientCapabilities } = conversation;
  if (kind === 'notice' && initializeParams && objectOf(clientCapabilities['session'])['notices'] === undefined) {
    found.push({ ...notDeclared('notice', '`clientCapabilities.session.notices`'), isEnum: false });
  }
  const own = schema ? Object.keys(update).filter((name) => !isKnown(name, schema)) : [];
  if (own.length === 0) return found;
  const names = own.slice(0, 5).map((name) => `\`${name.slice(0, 40)}\``);
  const key = names.join(', ');
  const what = t('`{0}` has unknown fields: {1}', kind, key);
  return [...found, { code, level: 'notice', what, advice: ownFieldsAdvice, key: `${kind} ${key}` }];
}

function isKnown(name: string, { fields }: Fields): boolean {
  return name === 'sessionUpdate' || name === '_meta' || name in fields || `${name}?` in fields;
}

function notDeclared(name: string, capability: string): Found {
  return { code, level: 'warning', ...notSupported(name, capability) };
}

function flaws(
  subject: Subject,
  value: JsonObject,
  schema: Fields | undefined,
  { initializeResult }: Conversation,
): readonly (Found & { readonly isEnum: boolean })[] {
  if (!schema) return [];
  return flawsIn(subject, value, schema, { allowsNull: true, protocol: 'ACP' }).flatMap((flaw) =>
    // Version 2 has other values, and without `initialize` the version is unknown.
    flaw.isEnum && !initializeResult ? [] : { code, level: 'warning', ...flaw },
  );
}
