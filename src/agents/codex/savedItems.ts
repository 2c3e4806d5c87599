import { oneLine } from '../../text/text';
import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../text/json';
import { outputText } from '../../protocols/agentWriter/toolText';
import { textIn } from '../reading/saved/parts';
import type { ToolEnd } from '../../protocols/agentWriter/verbs';
import { changesOf } from './changes';
import { providerError } from '../../work/failures/errorText';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';

const maxHooks = 100;

/** Reads an item of a thread, as saved in a rollout. */
export function readCodexItem(item: JsonObject, writer: AgentWriter): void {
  const type = textOf(item['type']);
  switch (type) {
    case 'UserMessage':
      return writer.prompt(textIn(item['content']), { startsTurn: !writer.isInTurn });
    case 'AgentMessage':
      return writer.answer(textIn(item['content']));
    case 'Reasoning':
      return writer.thought(textIn(item['summary_text']));
    case 'CommandExecution':
      return readCommand(item, writer);
    case 'FileChange':
      return readTool(item, `edit ${Object.keys(objectOf(item['changes'])).slice(0, 20).join(', ')}`, writer, {
        changes: changesOf(item['changes']),
      });
    case 'McpToolCall':
      return readTool(item, `${textOf(item['server']) ?? 'mcp'}.${textOf(item['tool']) ?? 'tool'}`, writer);
    case 'WebSearch':
      return readTool(item, `web search: ${textOf(item['query']) ?? ''}`, writer);
    case 'ImageView':
      return readTool(item, `view ${textOf(item['path']) ?? 'an image'}`, writer);
    case 'CollabAgentToolCall':
      return readSubagent(item, writer);
    case 'ContextCompaction':
      return writer.compacted(undefined);
    case 'HookPrompt':
      // What a hook wants before the agent stops.
      for (const { hookRunId, text } of arrayOf(item['fragments']).slice(0, maxHooks).map(objectOf)) {
        const name = textOf(hookRunId)?.split(':', 1)[0] ?? 'hook';
        writer.hookEnded(undefined, { name, outcome: 'refused', output: textOf(text) ?? '' });
      }
      return;
    case 'Plan':
    case 'TodoList':
      return writer.note({
        level: 'info',
        logger: 'plan',
        content: 'answer',
        message: textOf(item['text']) ?? 'plan updated',
      });
    default:
      return writer.unknown(`item/${type ?? ''}`);
  }
}

function readCommand(item: JsonObject, writer: AgentWriter): void {
  const exitCode = numberOf(item['exit_code']);
  // A stopped command has exit code -1.
  const isStopped = exitCode === -1;
  const status = textOf(item['status']);
  const outcome = isStopped ? 'cancelled' : status === 'declined' ? 'refused' : status === 'failed' ? 'error' : 'ok';
  const key = textOf(item['id']);
  const title = commandOf(item['command']);
  if (item['source'] === 'user_shell') {
    writer.toolStarted(key, 'shell', { command: title }, { isShown: false, isUsers: true });
  }
  writer.toolEnded(key, {
    outcome,
    title,
    exitCode: isStopped ? undefined : exitCode,
    ms: durationOf(item['duration']),
    output: textOf(item['aggregated_output']) ?? '',
  });
}

function readTool(item: JsonObject, title: string, writer: AgentWriter, more: Pick<ToolEnd, 'changes'> = {}): void {
  const status = textOf(item['status']);
  const error = textOf(objectOf(item['error'])['message']) ?? textOf(item['error']) ?? textOf(item['stderr']);
  const result = objectOf(item['result']);
  // The result of an MCP server.
  const output = error ?? textOf(item['stdout']) ?? outputText(result['content']);
  const hasFailed = status === 'failed' || result['isError'] === true;
  const outcome = hasFailed ? 'error' : status === 'declined' ? 'refused' : 'ok';
  writer.toolEnded(textOf(item['id']), { outcome, title, ms: durationOf(item['duration']), output, ...more });
}

/** Reads items about starting, waiting for and closing other threads. */
function readSubagent(item: JsonObject, writer: AgentWriter): void {
  const names = arrayOf(item['receiver_agents'])
    .slice(0, 20)
    .flatMap((agent) => textOf(objectOf(agent)['agent_nickname']) ?? []);
  const states = Object.values(objectOf(item['agents_states'])).slice(0, 20);
  const failure = states.map(failureOf).find((text) => text !== undefined);
  const results = states.flatMap((state) => resultOf(state) ?? []);
  const title = `${textOf(item['tool']) ?? 'subagent'}${names.length === 0 ? '' : ` ${names.join(', ')}`}`;
  writer.toolEnded(textOf(item['id']), {
    outcome: failure !== undefined || item['status'] === 'failed' ? 'error' : 'ok',
    title: oneLine(title, 200),
    output: failure === undefined ? results.join('; ') : providerError(failure),
  });
}

/** Why a subagent failed; empty if it isn't said. In rollouts, a state is `{"errored":"why"}`, in the stream `{"status":"errored","message":"why"}`. */
export function failureOf(state: unknown): string | undefined {
  const { errored, status, message } = objectOf(state);
  return textOf(errored) ?? (status === 'errored' || status === 'not_found' ? (textOf(message) ?? '') : undefined);
}

/** What a subagent answered. */
export function resultOf(state: unknown): string | undefined {
  const { completed, status, message } = objectOf(state);
  return textOf(completed) ?? (status === 'completed' ? textOf(message) : undefined);
}

/** The command itself, without the shell that runs it. */
function commandOf(command: unknown): string | undefined {
  if (!Array.isArray(command)) return textOf(command);
  const words = arrayOf(command)
    .slice(0, 100)
    .map((word) => textOf(word) ?? '');
  const [shell = '', flag = '', script] = words;
  return /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && script !== undefined
    ? script
    : words.join(' ');
}

function durationOf(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const { secs, nanos } = value;
  const ms = (numberOf(secs) ?? 0) * 1000 + (numberOf(nanos) ?? 0) / 1e6;
  // Some commands only have the duration of their last part.
  return ms < 1 ? undefined : ms;
}
