import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../json';
import { arrayOf, objectOf, textOf } from '../json';
import type { EventWriter } from './eventWriter';
import { outputText, toolEnded, toolStarted, toolTitle, tookOf } from './toolText';

/** More parts than this in one message are not told one by one. */
const maxParts = 200;

/** Messages `assistant` and `user`: content blocks as the Messages API of Anthropic has them, each a record. */
export function readClaudeMessage(event: JsonObject, writer: EventWriter): void {
  const { content } = objectOf(event['message']);
  const all = typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOf(content);
  const parts = all.slice(0, maxParts).map(objectOf);
  if (event['type'] === 'user') for (const part of parts) readUserPart(event, part, writer);
  else readAssistant(event, parts, writer);
  if (all.length > maxParts) {
    writer.tell({ level: 'notice', message: `… and ${all.length - maxParts} more parts of the same message` });
  }
}

function readAssistant(event: JsonObject, parts: readonly JsonObject[], writer: EventWriter): void {
  const error = textOf(event['error']);
  for (const part of parts) {
    if (error === undefined || part['type'] !== 'text') readAssistantPart(event, part, writer);
  }
  if (error !== undefined) {
    writer.state.hasSpoken = true;
    const text = parts.map((part) => textOf(part['text']) ?? '').join(' ');
    writer.tell({ level: 'error', logger: 'agent', message: `${error}: ${text}` });
  }
  const { stop_reason: reason, stop_details: details } = objectOf(event['message']);
  if (reason === 'refusal') {
    const { category, explanation } = objectOf(details);
    const why = [textOf(category), textOf(explanation)].filter((part) => part !== undefined).join(': ');
    writer.tell({
      level: 'warning',
      logger: 'model',
      message: `the model refused${why === '' ? '' : ` (${why})`}`,
    });
  } else if (reason === 'max_tokens') {
    writer.tell({
      level: 'warning',
      logger: 'model',
      message: 'the answer was cut off at the most tokens it may have',
    });
  }
}

function readAssistantPart(event: JsonObject, part: JsonObject, writer: EventWriter): void {
  const type = textOf(part['type']);
  switch (type) {
    case 'text':
      return writer.speech(isSubagent(event) ? 'subagent' : 'agent', part['text']);
    case 'thinking':
      return writer.speech('thought', part['thinking']);
    case 'redacted_thinking':
      return writer.speech('thought', '(not shown by the model)');
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return readToolUse(part, writer);
    default:
      if (type?.endsWith('_tool_result') === true) return readToolResult(part, writer);
      return writer.tell({ level: 'info', logger: type ?? 'agent', message: boundedJson(part, 1000) });
  }
}

function readToolUse(part: JsonObject, writer: EventWriter): void {
  const name = textOf(part['name']) ?? 'a tool';
  const id = textOf(part['id']);
  const { sessionId, time } = writer.event;
  if (id !== undefined) {
    writer.state.tools.begin(id, { title: toolTitle(name, part['input']), sessionId, startedAt: time });
  }
  writer.tell(toolStarted(name, part['input']));
}

function readUserPart(event: JsonObject, part: JsonObject, writer: EventWriter): void {
  const type = textOf(part['type']);
  if (type === 'tool_result') return readToolResult(part, writer);
  if (type !== 'text') {
    return writer.tell({ level: 'info', logger: 'prompt', message: `(${type ?? 'something'})` });
  }
  // What the agent tells itself, or a subagent, is no person's prompt.
  if (isSubagent(event) || event['isSynthetic'] === true || event['isMeta'] === true || isInterruptNote(part)) {
    return writer.tell({ level: 'debug', logger: 'prompt', message: textOf(part['text']) ?? '' });
  }
  writer.title(part['text']);
  writer.speech('prompt', part['text']);
}

function readToolResult(part: JsonObject, writer: EventWriter): void {
  const id = textOf(part['tool_use_id']);
  const call = id === undefined ? undefined : writer.state.tools.end(id);
  const output = outputText(part['content']);
  const failed = part['is_error'] === true;
  // Bash says so in its text only.
  const code = failed ? /^Exit code (\d{1,10})\b/.exec(output)?.[1] : undefined;
  writer.tell(
    toolEnded({
      title: call?.title ?? id ?? 'a tool',
      failed,
      exitCode: code === undefined ? undefined : Number(code),
      ms: tookOf(call, writer.event.time),
      output: code === undefined ? output : output.slice(`Exit code ${code}`.length),
    }),
  );
}

/** What Claude Code notes for its model where the person has interrupted it. */
function isInterruptNote({ text }: JsonObject): boolean {
  return typeof text === 'string' && /^\[Request interrupted by user(?: for tool use)?\]$/.test(text.slice(0, 100));
}

function isSubagent(event: JsonObject): boolean {
  return textOf(event['parent_tool_use_id']) !== undefined || event['isSidechain'] === true;
}
