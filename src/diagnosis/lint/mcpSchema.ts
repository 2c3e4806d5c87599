import type { Fields, Schema } from './schema';
import { contentBlock } from './schema';

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
export const results: ReadonlyMap<string, Fields> = new Map<string, Fields>([
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
  // Tasks and the results of 2024-10-07 have no content.
  ['tools/call', { fields: { 'content?': [contentBlock], 'isError?': 'boolean' } }],
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

export const notifications: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ['notifications/message', { fields: { level: 'any', data: 'any' } }],
  ['notifications/progress', { fields: { progressToken: 'any', progress: 'any' } }],
]);

/** The capability that a client must declare for each of these requests. */
export const capabilityOf: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
  ['elicitation/create', 'elicitation'],
]);
