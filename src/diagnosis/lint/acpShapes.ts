import type { Shape, Shapes } from './shapes';

/** Methods of an agent, in ACP 1 and 2 with what is unstable in them (schema of the SDK 2.4.0). */
export const knownMethods: ReadonlySet<string> = new Set([
  'session/update',
  'session/request_permission',
  'fs/read_text_file',
  'fs/write_text_file',
  'terminal/create',
  'terminal/output',
  'terminal/release',
  'terminal/wait_for_exit',
  'terminal/kill',
  'elicitation/create',
  'elicitation/complete',
  'auth/status_update',
  'mcp/connect',
  'mcp/message',
  'mcp/disconnect',
  'proxy/initialize',
  'proxy/successor',
]);

export const stopReasons: ReadonlySet<string> = new Set([
  'end_turn',
  'max_tokens',
  'max_turn_requests',
  'refusal',
  'cancelled',
]);

/** Of version 1, which knows no other; version 2 does. */
export const toolStates: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed', 'failed']);
export const optionKinds: ReadonlySet<string> = new Set(['allow_once', 'allow_always', 'reject_once', 'reject_always']);

const terminal = { sessionId: 'string', terminalId: 'string' } as const;
/** What messages, and kinds of `session/update`, have to have, and of what shape. */
const requiredFields: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  'session/update': { sessionId: 'string', update: 'any' },
  'session/request_permission': { sessionId: 'string', toolCall: 'object', options: 'list' },
  'fs/read_text_file': { sessionId: 'string', path: 'string' },
  'fs/write_text_file': { sessionId: 'string', path: 'string', content: 'string' },
  'terminal/create': { sessionId: 'string', command: 'string' },
  'terminal/output': terminal,
  'terminal/release': terminal,
  'terminal/wait_for_exit': terminal,
  'terminal/kill': terminal,
  log: { level: 'any', message: 'any' },
  user_message_chunk: { content: 'block' },
  agent_message_chunk: { content: 'block' },
  agent_thought_chunk: { content: 'block' },
  tool_call: { toolCallId: 'string', title: 'string' },
  tool_call_update: { toolCallId: 'string' },
  plan: { entries: 'list' },
  available_commands_update: { availableCommands: 'list' },
  current_mode_update: { currentModeId: 'string' },
  config_option_update: { configOptions: 'list' },
  usage_update: { used: 'number', size: 'number' },
  notice: { severity: 'string', title: 'string' },
  compaction_update: { compactionId: 'string', status: 'string' },
  compaction_summary_chunk: { compactionId: 'string', content: 'block' },
};
/** What the entries of lists have to have, all of them texts: a client leaves out the others without a word. */
const entryFields: ReadonlyMap<string, readonly [list: string, fields: readonly string[]]> = new Map([
  ['plan', ['entries', ['content', 'priority', 'status']]],
  ['available_commands_update', ['availableCommands', ['name', 'description']]],
  ['tool_call', ['locations', ['path']]],
  ['tool_call_update', ['locations', ['path']]],
]);

export function entriesOf(kind: string): readonly [list: string, fields: readonly string[]] | undefined {
  return entryFields.get(kind);
}

/** What the content of a tool call has to have, by its type. */
export const toolContentFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['diff', ['path', 'newText']],
  ['terminal', ['terminalId']],
]);

const required: ReadonlyMap<string, Shapes> = new Map(
  Object.entries(requiredFields).map(([name, shapes]) => [name, Object.entries(shapes)]),
);

export function requiredOf(name: string): Shapes {
  return required.get(name) ?? [];
}

const chunk = ['content', 'messageId'];
const tool = ['toolCallId', 'title', 'name', 'kind', 'status', 'content', 'locations', 'rawInput', 'rawOutput'];
/** All that the kinds of `session/update` may have. */
const fields: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    user_message_chunk: chunk,
    agent_message_chunk: chunk,
    agent_thought_chunk: chunk,
    tool_call: tool,
    tool_call_update: tool,
    plan: ['entries'],
    available_commands_update: ['availableCommands'],
    current_mode_update: ['currentModeId'],
    config_option_update: ['configOptions'],
    session_info_update: ['title', 'updatedAt'],
    usage_update: ['used', 'size', 'cost'],
    notice: ['severity', 'title', 'description'],
  }).map(([kind, names]) => [kind, new Set(['sessionUpdate', '_meta', ...names])]),
);

/** `undefined` for a kind that is not stable. */
export function knownFields(kind: string): ReadonlySet<string> | undefined {
  return fields.get(kind);
}
