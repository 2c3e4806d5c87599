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

/** What messages, and kinds of `session/update`, have to have. */
const required: ReadonlyMap<string, readonly string[]> = new Map([
  ['session/update', ['sessionId', 'update']],
  ['session/request_permission', ['sessionId', 'toolCall', 'options']],
  ['fs/read_text_file', ['sessionId', 'path']],
  ['fs/write_text_file', ['sessionId', 'path', 'content']],
  ['terminal/create', ['sessionId', 'command']],
  ['log', ['level', 'message']],
  ['user_message_chunk', ['content']],
  ['agent_message_chunk', ['content']],
  ['agent_thought_chunk', ['content']],
  ['tool_call', ['toolCallId', 'title']],
  ['tool_call_update', ['toolCallId']],
  ['plan', ['entries']],
  ['available_commands_update', ['availableCommands']],
  ['current_mode_update', ['currentModeId']],
  ['config_option_update', ['configOptions']],
  ['usage_update', ['used', 'size']],
  ['notice', ['severity', 'title']],
]);

export function requiredOf(name: string): readonly string[] {
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
