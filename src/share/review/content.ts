import { objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { SharedContent, SharedMessage, SharedRecord, SharedSpan } from '../sharedRun';

/** What texts of conversations are. Any of them may quote another. */
export const conversation: readonly SharedContent[] = ['prompts', 'answers', 'tools'];

/** Which content the records of an activity have, by their logger. */
const byLogger: ReadonlyMap<string, readonly SharedContent[]> = table([
  [['prompts'], 'prompt user developer suggestion'],
  [['answers'], 'agent partial thought message plan goal_state'],
  [['prompts', 'answers'], 'subagent compaction summary sampling'],
  [['prompts', 'answers', 'tools'], 'hook'],
  // Names, counts, errors and states.
  [
    [],
    'turn model usage api config commands mode login auth logging mcp step context error status error intent plugin connection initialize ping session/new session/load session/list session/resume session/close session/cancel authenticate logging/setLevel logging/message $/cancel_request $/cancelRequest notifications/cancelled notifications/initialized client/registerCapability client/unregisterCapability tools/list prompts/list resources/list roots/list agent-logs',
  ],
]);
/** Loggers of several words. */
const states: ReadonlySet<string> = new Set(['rate limit', 'session store']);
const newTitle = /^title is now/;

/** Which content messages have, by their method, type or kind of update. */
const byMessage: ReadonlyMap<string, readonly SharedContent[]> = table([
  [['prompts'], 'session/prompt user_message user_message_chunk session_info_update'],
  [['answers'], 'agent_message agent_message_chunk agent_thought agent_thought_chunk plan plan_update'],
  [
    ['tools'],
    'tool_call tool_call_update tool_call_content_chunk terminal_update fs/read_text_file fs/write_text_file terminal/create terminal/output terminal/release terminal/wait_for_exit terminal/kill session/request_permission tools/call resources/read textDocument/didOpen textDocument/didChange',
  ],
  [
    [],
    'initialize notifications/initialized session/new session/load session/resume session/close session/cancel authenticate ping logging/setLevel $/cancel_request $/cancelRequest notifications/cancelled usage_update current_mode_update config_option_update available_commands_update tools/list notifications/tools/list_changed',
  ],
]);

function table(
  rows: readonly (readonly [readonly SharedContent[], string])[],
): ReadonlyMap<string, readonly SharedContent[]> {
  return new Map(rows.flatMap(([contents, names]) => names.split(' ').map((name) => [name, contents] as const)));
}

/** Which content a record is. What isn't known counts as a tool's input or output. */
export function contentOfRecord({ kind, logger = '', message }: SharedRecord): readonly SharedContent[] {
  if (kind === 'stderr') return ['stderr'];
  if (kind === 'wire') return ['wire', ...conversation];
  if (kind !== 'activity') return [];
  if (logger === 'stdout' || logger === 'stdin') return ['stderr'];
  if (logger === 'session') return newTitle.test(message) ? ['prompts', 'answers'] : [];
  return byLogger.get(logger) ?? (states.has(logger) ? [] : ['tools']);
}

/** Which content a message has. What isn't known may have any. */
export function contentOfMessage({ method, carried }: SharedMessage): readonly SharedContent[] {
  return byMessage.get(kindOf(carried) ?? method) ?? conversation;
}

/** The same for a line of the wire. */
export function contentOfLine(line: string): readonly SharedContent[] {
  const { method, type, params } = objectOf(parsedJson(line));
  const update = objectOf(objectOf(params)['update'])['sessionUpdate'];
  const name = textOf(update) ?? textOf(method) ?? textOf(type);
  return (name === undefined ? undefined : byMessage.get(name)) ?? conversation;
}

/** The kind of update that a message carries; `undefined` if it says nothing but what it is about. */
export function kindOf(carried: string): string | undefined {
  const [first = ''] = carried.split(' ', 1);
  return first.includes('_') && byMessage.has(first) ? first : first === 'plan' ? first : undefined;
}

/** Which content the title of a span is. */
export function contentOfSpan({ kind }: SharedSpan): readonly SharedContent[] {
  switch (kind) {
    case 'turn':
      return ['prompts'];
    case 'tool':
    case 'permission':
    case 'span':
      return ['tools'];
    case 'subagent':
      return conversation;
    case 'compaction':
    case 'request':
      return [];
  }
}
