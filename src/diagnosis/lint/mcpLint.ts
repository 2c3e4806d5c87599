import { t } from '../../text/translator';
import { isObject, objectOf } from '../../text/json';
import type { ResponseFact } from '../../work/facts';
import { clientCapabilities } from '../../protocols/mcp/methods';
import { methodNotFound } from '../../work/errorCodes';
import type { Conversation } from '../conversation/conversation';
import type { Findings, Found, Rule } from '../rule';
import type { Fields, Schema, Subject } from './schema';
import { contentBlock, flawsIn, notSupported } from './schema';

const described = { 'title?': 'string', 'description?': 'string' } as const;
const capabilities: Schema = {
  fields: {
    'tools?': 'object',
    'prompts?': 'object',
    'resources?': 'object',
    'logging?': 'object',
    'completions?': 'object',
  },
};

function page(list: string, fields: Readonly<Record<string, Schema>>): Fields {
  return { fields: { 'nextCursor?': 'string', [list]: [{ fields }] } };
}

/** A server's results, in any version of MCP. */
const results: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  [
    'initialize',
    {
      fields: {
        protocolVersion: 'any',
        capabilities,
        serverInfo: { fields: { name: 'string', version: 'string' } },
        'instructions?': 'string',
      },
    },
  ],
  ['server/discover', { fields: { 'capabilities?': capabilities } }],
  [
    'tools/list',
    page('tools', {
      name: 'string',
      ...described,
      'annotations?': 'object',
      'outputSchema?': 'object',
      // PHP writes an empty object as a list by default.
      inputSchema: { fields: { type: { enum: ['object'] }, 'properties?': 'object', 'required?': 'list' } },
    }),
  ],
  [
    'resources/list',
    page('resources', { ...described, 'mimeType?': 'string', 'size?': 'number', 'annotations?': 'object' }),
  ],
  [
    'resources/templates/list',
    page('resourceTemplates', { ...described, 'mimeType?': 'string', 'annotations?': 'object' }),
  ],
  ['resources/read', { fields: { contents: [{ fields: { 'mimeType?': 'string' } }] } }],
  ['prompts/list', page('prompts', { ...described, 'arguments?': 'list' })],
  ['prompts/get', { fields: { 'description?': 'string', messages: [{ fields: { content: contentBlock } }] } }],
  ['completion/complete', { fields: { completion: 'object' } }],
]);

/** Of a tool. Tasks and the results of 2024-10-07 have no content. */
const toolResult: Fields = { fields: { 'content?': [contentBlock], 'isError?': 'boolean' } };

const notifications: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ['notifications/message', { fields: { level: 'any', data: 'any' } }],
  ['notifications/progress', { fields: { progressToken: 'any', progress: 'any' } }],
]);

/** What MCP doesn't allow in the server's messages. Of a cut message, only the remaining part is checked. */
export const mcpLint: Rule = {
  methods: notifications,

  request({ dir, request: { method } }, { initializeParams, clientCapabilities: declared }) {
    const capability = dir === 'a2c' ? clientCapabilities.get(method) : undefined;
    if (capability === undefined || !initializeParams || declared[capability] !== undefined) return undefined;
    return { ...violation, ...notSupported(method, `\`capabilities.${capability}\``) };
  },

  notification({ dir, method, params, event }) {
    if (dir !== 'a2c' || event.bytes !== undefined) return undefined;
    return flaws(method, params, notifications.get(method));
  },

  response(fact, conversation) {
    return fact.dir === 'a2c' && fact.event.bytes === undefined ? ofResponse(fact, conversation) : undefined;
  },
};

function ofResponse({ request, result, error, msg }: ResponseFact, conversation: Conversation): Findings {
  if (request?.method === 'logging/setLevel' && error?.code === methodNotFound) {
    if (!conversation.initializeResult || conversation.agentCapabilities['logging'] === undefined) return undefined;
    return {
      ...violation,
      what: t("The server declares `logging` but doesn't know `logging/setLevel`"),
      advice: t("Answer `logging/setLevel` with `{}`, or don't declare `logging`."),
      key: 'logging/setLevel',
    };
  }
  if (!request || error) return undefined;
  if (!isObject(result)) return 'result' in msg ? flaws(request, result, 'object') : undefined;
  if (result['resultType'] === 'task' && objectOf(request.noted)['allowsTask'] === false) {
    return {
      ...violation,
      what: t("The server answered `{0}` with a task, which the client doesn't support", request.method),
      advice: t('Answer with the result, or with error -32021 if only a task is possible (MCP "Tasks").'),
      key: 'task',
    };
  }
  // The server asks for more input first (MCP 2026-07-28 "Multi Round-Trip Requests").
  if (result['resultType'] !== undefined && result['resultType'] !== 'complete') return undefined;
  return flaws(request, result, request.role === 'tool' ? toolResult : results.get(request.method));
}

function flaws(subject: Subject, value: unknown, schema: Schema | undefined): readonly Found[] {
  if (!schema) return [];
  return flawsIn(subject, value, schema, { allowsNull: false, protocol: 'MCP' }).map((flaw) => ({
    ...violation,
    ...flaw,
  }));
}

const violation = { code: 'protocol-violation', level: 'warning' } as const;
