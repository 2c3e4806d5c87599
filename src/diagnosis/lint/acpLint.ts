import { t } from '../../text/translator';
import type { JsonObject } from '../../text/json';
import { isObject, objectOf, textOf } from '../../text/json';
import { isLogMethod } from '../../protocols/acp/logMessage';
import type { NotificationFact, RequestFact, ResponseFact } from '../../work/facts';
import type { Conversation } from '../conversation/conversation';
import type { Found, Rule } from '../rule';
import type { Fields, Schema, Subject } from './schema';
import { contentBlock, flawsIn, notSupported } from './schema';

/** Methods of an agent in ACP 1 and 2, including unstable ones (schema of SDK 2.4.0). */
const knownMethods: ReadonlySet<string> = new Set([
  ...['session/update', 'session/request_permission', 'fs/read_text_file', 'fs/write_text_file'],
  ...['terminal/create', 'terminal/output', 'terminal/release', 'terminal/wait_for_exit', 'terminal/kill'],
  ...['elicitation/create', 'elicitation/complete', 'auth/status_update'],
  ...['mcp/connect', 'mcp/message', 'mcp/disconnect', 'proxy/initialize', 'proxy/successor'],
]);

const terminal = { fields: { sessionId: 'string', terminalId: 'string' } } as const;

/** The parameters of the agent's messages (ACP 1). */
const messages: ReadonlyMap<string, Fields> = mapOf({
  'session/update': { fields: { sessionId: 'string', update: 'some' } },
  'session/request_permission': {
    fields: {
      sessionId: 'string',
      toolCall: { fields: { toolCallId: 'string' } },
      options: [
        {
          fields: {
            optionId: 'string',
            name: 'string',
            kind: { enum: ['allow_once', 'allow_always', 'reject_once', 'reject_always'] },
          },
        },
      ],
    },
  },
  'fs/read_text_file': { fields: { sessionId: 'string', path: 'string' } },
  'fs/write_text_file': { fields: { sessionId: 'string', path: 'string', content: 'string' } },
  'terminal/create': { fields: { sessionId: 'string', command: 'string' } },
  'terminal/output': terminal,
  'terminal/release': terminal,
  'terminal/wait_for_exit': terminal,
  'terminal/kill': terminal,
  log: { fields: { level: 'some', message: 'some' } },
});

const chunk = { fields: { content: contentBlock, 'messageId?': 'any' } } as const;
const tool = {
  ...{ 'name?': 'any', 'kind?': 'any', 'rawInput?': 'any', 'rawOutput?': 'any' },
  'status?': { enum: ['pending', 'in_progress', 'completed', 'failed'] },
  'locations?': [{ fields: { path: 'string' } }],
  'content?': [
    {
      byType: {
        content: { fields: { content: contentBlock } },
        diff: { fields: { path: 'string', newText: 'string' } },
        terminal: { fields: { terminalId: 'string' } },
      },
      // Content blocks must be wrapped.
      never: ['text', 'image', 'audio', 'resource_link', 'resource'],
      wanted: t('tool call content such as {0}', '`{"type":"content","content":{"type":"text","text":"…"}}`'),
    },
  ],
} as const satisfies Record<string, Schema>;

/** The stable kinds of `session/update` (ACP 1), with all of their fields. */
const updates: ReadonlyMap<string, Fields> = mapOf({
  user_message_chunk: chunk,
  agent_message_chunk: chunk,
  agent_thought_chunk: chunk,
  tool_call: { fields: { toolCallId: 'string', title: 'string', ...tool } },
  tool_call_update: { fields: { toolCallId: 'string', 'title?': 'any', ...tool } },
  plan: { fields: { entries: [{ fields: { content: 'string', priority: 'string', status: 'string' } }] } },
  available_commands_update: {
    fields: { availableCommands: [{ fields: { name: 'string', description: 'string' } }] },
  },
  current_mode_update: { fields: { currentModeId: 'string' } },
  config_option_update: { fields: { configOptions: 'list' } },
  session_info_update: { fields: { 'title?': 'any', 'updatedAt?': 'any' } },
  usage_update: { fields: { used: 'number', size: 'number', 'cost?': 'any' } },
  notice: { fields: { severity: 'string', title: 'string', 'description?': 'any' } },
});

/** Newer kinds, whose fields may still change. */
const newUpdates: ReadonlyMap<string, Fields> = mapOf({
  compaction_update: { fields: { compactionId: 'string', status: 'string' } },
  compaction_summary_chunk: { fields: { compactionId: 'string', content: contentBlock } },
});

const results: ReadonlyMap<string, Fields> = mapOf({
  'session/new': { fields: { sessionId: 'string' } },
  'session/prompt': {
    fields: { stopReason: { enum: ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] } },
  },
});

function mapOf(table: Readonly<Record<string, Fields>>): ReadonlyMap<string, Fields> {
  return new Map(Object.entries(table));
}

const ownFieldsAdvice = t('Put your own fields in `_meta` (ACP "Extensibility").');
const code = 'protocol-violation';

/** What ACP doesn't allow in the agent's messages. Of a cut message, only the remaining part is checked. */
export const acpLint: Rule = {
  request(fact, conversation) {
    if (!isWhole(fact)) return undefined;
    const { method } = fact.request;
    return [...ofMessage(method, fact.params, conversation), ofQuestion(method, conversation)];
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
function ofQuestion(method: string, conversation: Conversation): Found | undefined {
  if (!conversation.initializeParams) return undefined;
  const fs = objectOf(conversation.clientCapabilities['fs']);
  const lacks =
    (method === 'fs/read_text_file' && fs['readTextFile'] !== true) ||
    (method === 'fs/write_text_file' && fs['writeTextFile'] !== true) ||
    (method.startsWith('terminal/') && !conversation.clientCapabilities['terminal']);
  return lacks ? notDeclared(method, '`clientCapabilities`') : undefined;
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
