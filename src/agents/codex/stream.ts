import { boundedJson } from '../../text/boundedJson';
import { oneLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf, textsOf } from '../../text/json';
import type { ToolInput } from '../../work/tools/callText';
import { toolInput } from '../../work/tools/callText';
import { commandOf } from '../../work/tools/toolOutput';
import { usageOf } from '../../work/usage/usage';
import type { AgentStream } from '../reading/streams/agentStream';
import { numbersOf, restOf } from '../reading/streams/eventText';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { outputText, toolStarted } from '../../protocols/agentWriter/toolText';
import { readRetry, readUnknownEvent } from '../reading/streams/unknownEvent';

type ItemEvent = 'item.started' | 'item.updated' | 'item.completed';

/** Codex, `codex exec --json` (type `ThreadEvent` of @openai/codex-sdk). */
export const stream: AgentStream = { recognises, resembles, reader: () => ({ read }) };

function recognises(event: JsonObject): boolean {
  const type = textOf(event['type']) ?? '';
  if (type === 'thread.started') return textOf(event['thread_id']) !== undefined;
  if (type === 'turn.started' || type === 'turn.completed' || type === 'turn.failed') return true;
  return /^item\.(?:started|updated|completed)$/.test(type) && isObject(event['item']);
}

function resembles(event: JsonObject): boolean {
  return /^(?:thread|turn|item)\./.test(textOf(event['type']) ?? '');
}

function read(event: JsonObject, writer: AgentWriter): void {
  const type = textOf(event['type']);
  switch (type) {
    case 'thread.started':
      writer.resumed();
      // Its turn starts later.
      writer.turnStarted('', { hasTurn: false });
      return writer.note({ level: 'info', kind: 'lifecycle', message: 'thread started' });
    case 'turn.started':
      writer.resumed();
      writer.turnStarted();
      return writer.note({ level: 'debug', logger: 'turn', message: 'started' });
    case 'turn.completed':
      readTurnEnd(event, writer);
      // `codex exec` runs one turn.
      return writer.ended();
    case 'turn.failed':
      readFailure(event, writer);
      return writer.ended();
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return readItem(type, objectOf(event['item']), writer);
    case 'error':
      return readError(event, writer);
    default:
      return readUnknownEvent(event, writer);
  }
}

/** True for the error of a turn that the user interrupted. */
export function tellsOfInterruption(error: string): boolean {
  return /^\W{0,5}(?:(?:the )?(?:turn|task) )?(?:was )?(?:interrupted|aborted)\b/i.test(error);
}

function readFailure(event: JsonObject, writer: AgentWriter): void {
  const words = reason(event) ?? '';
  if (tellsOfInterruption(words)) {
    const message = 'interrupted';
    return writer.turnEnded({ outcome: 'cancelled' }, { level: 'notice', logger: 'turn', message });
  }
  const message = `failed: ${messageOf(event)}`;
  writer.turnEnded({ outcome: 'error', error: words }, { level: 'error', logger: 'turn', message });
}

function readTurnEnd(event: JsonObject, writer: AgentWriter): void {
  const usage = numbersOf(objectOf(event['usage']));
  // Counts for the whole thread, which may have been resumed.
  const end = { outcome: 'ok', usage: usageOf(objectOf(event['usage']), 'cumulative') } as const;
  writer.turnEnded(end, {
    level: 'info',
    logger: 'turn',
    message: 'ended',
    ...(usage && { data: { usage } }),
  });
}

/** Codex reports each reconnection attempt as an error; the final failure follows as `turn.failed`. */
function readError(event: JsonObject, writer: AgentWriter): void {
  readRetry(event, writer);
  const message = messageOf(event);
  const willRetry = /^Reconnecting\b|\bretrying\b/i.test(message);
  writer.note({ level: willRetry ? 'warning' : 'error', logger: willRetry ? 'api' : 'error', message });
}

function messageOf(event: JsonObject): string {
  return reason(event) ?? oneLine(restOf(event), 500);
}

function reason({ message, error }: JsonObject): string | undefined {
  return textsOf(message, error, objectOf(error)['message'])[0];
}

/** Reads an item of a thread (type `ThreadItem` of @openai/codex-sdk) in its current state. */
function readItem(event: ItemEvent, item: JsonObject, writer: AgentWriter): void {
  const type = textOf(item['type']) ?? textOf(item['item_type']);
  switch (type) {
    case 'agent_message':
    case 'assistant_message':
      if (event !== 'item.completed') return writer.activity({ type: 'progress' });
      return writer.answer(textOf(item['text']));
    case 'reasoning':
      if (event !== 'item.completed') return writer.activity({ type: 'progress' });
      return writer.thought(textOf(item['text']));
    case 'error':
      writer.activity({ type: 'progress' });
      if (event === 'item.completed') {
        writer.fact({ type: 'notice', about: 'any', text: textOf(item['message']) ?? '' });
      }
      // Not fatal: only `turn.failed` ends a turn.
      return writer.note({
        level: 'warning',
        kind: 'notice',
        message: textOf(item['message']) ?? boundedJson(item, 1000),
      });
    case 'todo_list':
      writer.activity({ type: 'progress' });
      return writer.note({ level: 'info', logger: 'plan', content: 'answer', message: describePlan(item) });
    case 'command_execution':
    case 'file_change':
    case 'mcp_tool_call':
    case 'web_search':
      return readTool(event, type, item, writer);
    default:
      writer.activity({ type: 'progress' });
      return writer.note({
        level: event === 'item.completed' ? 'info' : 'debug',
        logger: type ?? 'item',
        message: `${event.slice('item.'.length)} ${boundedJson(item, 1000)}`,
      });
  }
}

function readTool(event: ItemEvent, type: string, item: JsonObject, writer: AgentWriter): void {
  const id = textOf(item['id']);
  const title = titleOf(type, item);
  const called = { name: textOf(item['tool']) ?? type, command: commandOf(item), ...inputOf(type, item) };
  if (event !== 'item.completed') {
    writer.toolRuns(id, { title, ...called });
  }
  if (event === 'item.started') return writer.note(toolStarted(title, item['arguments']));
  const output = oneLine(outputOf(item), 300);
  if (event === 'item.updated') {
    const told = `${oneLine(title, 200)} (${textOf(item['status']) ?? 'in progress'})`;
    return writer.note({
      level: 'debug',
      logger: 'tool',
      content: 'tool',
      message: output === '' ? told : `${told}: ${output}`,
    });
  }
  const status = textOf(item['status']);
  const exitCode = numberOf(item['exit_code']);
  const isUsual = status === 'failed' || status === 'completed';
  writer.toolEnded(id, {
    title,
    ...called,
    outcome: outcomeOf(status, exitCode),
    status: isUsual ? undefined : status,
    exitCode,
    error: textOf(objectOf(item['error'])['message']),
    output: textOf(item['aggregated_output']) ?? '',
    shown: outputOf(item),
    isInterrupted: false,
  });
}

/** A change of files is listed without its content. */
function inputOf(type: string, item: JsonObject): ToolInput {
  return type === 'file_change' ? {} : toolInput(item['arguments'] ?? item['command'] ?? item['query']);
}

function outcomeOf(status: string | undefined, exitCode: number | undefined): ToolEnd['outcome'] {
  if (status === 'failed') return exitCode === 0 ? undefined : 'error';
  if (status === 'declined') return 'cancelled';
  return status === 'completed' ? 'ok' : undefined;
}

function titleOf(type: string, item: JsonObject): string {
  switch (type) {
    case 'command_execution':
      return textOf(item['command']) ?? 'a command';
    case 'mcp_tool_call':
      return `${textOf(item['server']) ?? 'mcp'}.${textOf(item['tool']) ?? 'a tool'}`;
    case 'web_search': {
      // Starts before the query is known.
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
