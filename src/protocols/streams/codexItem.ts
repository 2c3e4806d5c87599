import { boundedJson } from '../../log/boundedJson';
import { oneLine } from '../../log/text';
import type { JsonObject } from '../json';
import { arrayOf, objectOf, textOf } from '../json';
import { numberOf } from './eventText';
import type { EventWriter } from './eventWriter';
import { outputText, toolEnded, toolStarted } from './toolText';

const tools = new Set(['command_execution', 'file_change', 'mcp_tool_call', 'web_search']);

type ItemEvent = 'item.started' | 'item.updated' | 'item.completed';

/** One item of a thread (type `ThreadItem` of @openai/codex-sdk), as far as it has come. */
export function readCodexItem(event: ItemEvent, item: JsonObject, writer: EventWriter): void {
  const type = textOf(item['type']) ?? textOf(item['item_type']);
  switch (type) {
    case 'agent_message':
    case 'assistant_message':
      return event === 'item.completed' ? writer.speech('agent', item['text']) : undefined;
    case 'reasoning':
      return event === 'item.completed' ? writer.speech('thought', item['text']) : undefined;
    case 'error':
      // Not fatal: what ends a turn is `turn.failed`.
      return writer.tell({
        level: 'warning',
        kind: 'notice',
        message: textOf(item['message']) ?? boundedJson(item, 1000),
      });
    case 'todo_list':
      return writer.tell({ level: 'info', logger: 'plan', message: describePlan(item) });
    case 'command_execution':
    case 'file_change':
    case 'mcp_tool_call':
    case 'web_search':
      return readTool(event, type, item, writer);
    default:
      return writer.tell({
        level: event === 'item.completed' ? 'info' : 'debug',
        logger: type ?? 'item',
        message: `${event.slice('item.'.length)} ${boundedJson(item, 1000)}`,
      });
  }
}

function readTool(event: ItemEvent, type: string, item: JsonObject, writer: EventWriter): void {
  const id = textOf(item['id']);
  const title = titleOf(type, item);
  const { sessionId, time } = writer.event;
  if (event === 'item.started') {
    if (id !== undefined) writer.state.tools.begin(id, { title, sessionId, startedAt: time });
    return writer.tell(toolStarted(title, item['arguments']));
  }
  const output = oneLine(outputOf(item), 300);
  if (event === 'item.updated') {
    const told = `${oneLine(title, 200)} (${textOf(item['status']) ?? 'in progress'})`;
    return writer.tell({ level: 'debug', logger: 'tool', message: output === '' ? told : `${told}: ${output}` });
  }
  if (id !== undefined) writer.state.tools.end(id);
  const status = textOf(item['status']);
  writer.tell(
    toolEnded({
      title,
      failed: status === 'failed' || status === 'declined',
      status,
      exitCode: numberOf(item['exit_code']),
      output: outputOf(item),
    }),
  );
}

/** What a tool is called, and works on; `undefined` for an item that is none. */
export function codexToolTitle(item: JsonObject): string | undefined {
  const type = textOf(item['type']) ?? textOf(item['item_type']);
  return type !== undefined && tools.has(type) ? titleOf(type, item) : undefined;
}

function titleOf(type: string, item: JsonObject): string {
  switch (type) {
    case 'command_execution':
      return textOf(item['command']) ?? 'a command';
    case 'mcp_tool_call':
      return `${textOf(item['server']) ?? 'mcp'}.${textOf(item['tool']) ?? 'a tool'}`;
    case 'web_search': {
      // It begins before it is known what is searched for.
      const query = textOf(item['query']);
      return query === undefined ? 'web search' : `web search: ${query}`;
    }
    default:
      return describeChanges(item);
  }
}

function outputOf(item: JsonObject): string {
  const error = textOf(objectOf(item['error'])['message']) ?? textOf(item['error']);
  return error ?? textOf(item['aggregated_output']) ?? outputText(objectOf(item['result'])['content']);
}

function describeChanges(item: JsonObject): string {
  const changes = arrayOf(item['changes']).map((change) => {
    const { kind, path } = objectOf(change);
    return `${textOf(kind) ?? 'change'} ${textOf(path) ?? 'a file'}`;
  });
  return changes.length === 0 ? 'a file change' : changes.slice(0, 50).join(', ');
}

function describePlan(item: JsonObject): string {
  const entries = arrayOf(item['items']).map((entry) => {
    const { text, completed } = objectOf(entry);
    return `[${completed === true ? 'x' : ' '}] ${oneLine(textOf(text) ?? '', 120)}`;
  });
  return entries.length === 0 ? 'plan is empty' : entries.slice(0, 50).join(' · ');
}
