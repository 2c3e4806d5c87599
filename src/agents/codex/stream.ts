import { changesOf } from './changes';
import { boundedJson } from '../../text/boundedJson';
import { oneLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf, textsOf } from '../../text/json';
import type { ToolInput } from '../../work/tools/callText';
import { toolInput } from '../../work/tools/callText';
import { commandOf } from '../../work/tools/toolOutput';
import { tellsOfRetry } from '../../work/troubleText';
import { usageOf } from '../../work/usage/usage';
import { failureOf, resultOf } from './savedItems';
import type { AgentStream } from '../reading/streams/agentStream';
import { numbersOf, restOf } from '../reading/streams/eventText';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { outputText, toolStarted } from '../../protocols/agentWriter/toolText';
import { readUnknownEvent } from '../reading/streams/unknownEvent';

/** Maximum number of threads of a call. */
const maxThreads = 20;
type ItemEvent = 'item.started' | 'item.updated' | 'item.completed';

/** Codex, `codex exec --json` (type `ThreadEvent` of @openai/codex-sdk). */
export const stream: AgentStream = { tried: { version: '0.171' }, recognises, resembles, reader: () => ({ read }) };

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
  const error = messageOf(event);
  writer.turnEnded(tellsOfInterruption(error) ? { outcome: 'cancelled' } : { outcome: 'error', error });
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
  const message = messageOf(event);
  const isRetried = tellsOfRetry(message);
  writer.failed(message, { level: isRetried ? 'warning' : 'error', logger: isRetried ? 'api' : 'error', message });
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
    case 'collab_tool_call':
      if (Array.isArray(item['receiver_thread_ids'])) return readSubagent(event, item, writer);
      return readOtherItem(event, type, item, writer);
    default:
      return readOtherItem(event, type, item, writer);
  }
}

function readOtherItem(event: ItemEvent, type: string | undefined, item: JsonObject, writer: AgentWriter): void {
  writer.activity({ type: 'progress' });
  writer.note({
    level: event === 'item.completed' ? 'info' : 'debug',
    logger: type ?? 'item',
    message: `${event.slice('item.'.length)} ${boundedJson(item, 1000)}`,
  });
}

/** Reads a call that starts other threads, waits for them or closes them. Their states say which have ended. */
function readSubagent(event: ItemEvent, item: JsonObject, writer: AgentWriter): void {
  const tool = textOf(item['tool']) ?? 'subagent';
  const prompt = textOf(item['prompt']);
  const title =
    prompt === undefined ? tool.replaceAll('_', ' ') : `${tool.replaceAll('_', ' ')}: ${oneLine(prompt, 120)}`;
  const threads = arrayOf(item['receiver_thread_ids'])
    .slice(0, maxThreads)
    .flatMap((id) => textOf(id) ?? []);
  const states = objectOf(item['agents_states']);
  const failures = threads.flatMap((id) => failureOf(states[id]) ?? []);
  if (event !== 'item.completed') {
    writer.toolRuns(textOf(item['id']), { title, name: tool, ...toolInput(prompt, tool) });
  }
  if (event === 'item.started') return writer.note(toolStarted(title, undefined));
  if (event === 'item.updated') return writer.activity({ type: 'progress' });
  if (tool === 'spawn_agent') for (const id of threads) subagentStarted(id, prompt, writer);
  for (const id of threads) subagentEnded(id, states[id], writer);
  const error = failures.length === 0 ? undefined : failures.join('; ');
  writer.toolEnded(textOf(item['id']), {
    title,
    name: tool,
    outcome: error !== undefined || item['status'] === 'failed' ? 'error' : 'ok',
    error: error === '' ? undefined : error,
    output: error ?? threads.flatMap((id) => resultOf(states[id]) ?? []).join('; '),
  });
}

function subagentStarted(id: string, prompt: string | undefined, writer: AgentWriter): void {
  writer.fact({ type: 'subagent', change: 'started', id, title: oneLine(prompt ?? 'subagent', 200) });
}

function subagentEnded(id: string, state: unknown, writer: AgentWriter): void {
  const failure = failureOf(state);
  const hasEnded = failure !== undefined || resultOf(state) !== undefined || objectOf(state)['status'] === 'shutdown';
  if (!hasEnded) return;
  const outcome = failure === undefined ? 'ok' : 'error';
  writer.fact({ type: 'subagent', change: 'ended', id, title: undefined, outcome });
  if (failure !== undefined) {
    writer.note({ level: 'warning', logger: 'subagent', message: `failed: ${failure || 'no reason given'}` });
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

/** A change of files is listed without its texts. */
function inputOf(type: string, item: JsonObject): ToolInput {
  if (type === 'file_change') return { changes: changesOf(item['changes']) };
  return toolInput(item['arguments'] ?? item['command'] ?? item['query'], textOf(item['tool']));
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
