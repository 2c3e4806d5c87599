import { t } from '../../log/translator';
import type { Fields, Schema } from './schema';
import { contentBlock } from './schema';

/** Methods of an agent in ACP 1 and 2, including unstable ones (schema of SDK 2.4.0). */
export const knownMethods: ReadonlySet<string> = new Set([
  ...['session/update', 'session/request_permission', 'fs/read_text_file', 'fs/write_text_file'],
  ...['terminal/create', 'terminal/output', 'terminal/release', 'terminal/wait_for_exit', 'terminal/kill'],
  ...['elicitation/create', 'elicitation/complete', 'auth/status_update'],
  ...['mcp/connect', 'mcp/message', 'mcp/disconnect', 'proxy/initialize', 'proxy/successor'],
]);

const terminal = { fields: { sessionId: 'string', terminalId: 'string' } } as const;

/** The parameters of the agent's messages (ACP 1). */
export const messages: ReadonlyMap<string, Fields> = mapOf({
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
export const updates: ReadonlyMap<string, Fields> = mapOf({
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
export const newUpdates: ReadonlyMap<string, Fields> = mapOf({
  compaction_update: { fields: { compactionId: 'string', status: 'string' } },
  compaction_summary_chunk: { fields: { compactionId: 'string', content: contentBlock } },
});

export const results: ReadonlyMap<string, Fields> = mapOf({
  'session/new': { fields: { sessionId: 'string' } },
  'session/prompt': {
    fields: { stopReason: { enum: ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] } },
  },
});

function mapOf(table: Readonly<Record<string, Fields>>): ReadonlyMap<string, Fields> {
  return new Map(Object.entries(table));
}
