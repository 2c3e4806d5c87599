import { boundedJson } from '../../../text/boundedJson';
import type { JsonObject } from '../../../text/json';
import { arrayOf, numberOf, objectOf, textOf, textsOf } from '../../../text/json';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { ClaudeState } from './state';
import { claudeReport } from '../reports';
import { usageOf } from '../../../work/usage/usage';
import { convention } from '../usage';
import { textIn } from '../../reading/saved/parts';
import { outputText } from '../../../protocols/agentWriter/toolText';

/** Maximum number of parts of one message to report separately. */
const maxParts = 200;
const maxModel = 100;

/** Reads `assistant` and `user` messages, with one record per content block of Anthropic's Messages API. */
export function readClaudeMessage(event: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  const { content } = objectOf(event['message']);
  const all = typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOf(content);
  const parts = all.slice(0, maxParts).map(objectOf);
  if (event['type'] === 'user') readUser(event, parts, writer, state);
  else readAssistant(event, parts, writer, state);
  if (all.length > maxParts) {
    writer.note({ level: 'notice', message: `… and ${all.length - maxParts} more parts of the same message` });
  }
}

function readAssistant(event: JsonObject, parts: readonly JsonObject[], writer: AgentWriter, state: ClaudeState): void {
  const error = textOf(event['error']);
  const { id, model, usage } = objectOf(event['message']);
  // `<synthetic>` is Claude Code itself.
  const isOwn = model === '<synthetic>';
  if (!isSubagent(event)) {
    if (!isOwn) {
      writer.uses(model, true);
      state.model = textOf(model)?.slice(0, maxModel) ?? state.model;
      writer.usage(textOf(id), usageOf(objectOf(usage), 'turn', { convention }));
    }
    state.answerTokens = isOwn ? 0 : numberOf(objectOf(usage)['output_tokens']);
  }
  for (const part of parts) {
    if (error === undefined || part['type'] !== 'text') readAssistantPart(event, part, writer, state);
    else writer.says(speakerOf(event), part['text']);
  }
  if (error !== undefined) {
    state.hasSpoken = true;
    const text = parts.map((part) => textOf(part['text']) ?? '').join(' ');
    writer.note({ level: 'error', logger: 'agent', content: 'answer', message: `${error}: ${text}` });
  }
  const report = claudeReport(event);
  if (report) writer.fact(report);
  const { stop_reason: reason, stop_details: details } = objectOf(event['message']);
  if (reason === 'refusal') {
    const { category, explanation } = objectOf(details);
    const why = textsOf(category, explanation).join(': ');
    writer.note({
      level: 'warning',
      logger: 'model',
      message: `the model refused${why === '' ? '' : ` (${why})`}`,
    });
  } else if (reason === 'max_tokens') {
    writer.note({
      level: 'warning',
      logger: 'model',
      message: 'the answer was cut off at the most tokens it may have',
    });
  }
}

function readAssistantPart(event: JsonObject, part: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  const type = textOf(part['type']);
  switch (type) {
    case 'text': {
      const logger = isSubagent(event) ? 'subagent' : 'agent';
      state.hasSpoken ||= logger === 'agent';
      return writer.answer(textOf(part['text']), { speaker: speakerOf(event), logger });
    }
    case 'thinking':
      // The model may keep it to itself.
      if (textOf(part['thinking']) === undefined) return writer.activity({ type: 'progress' });
      return writer.thought(textOf(part['thinking']));
    case 'redacted_thinking':
      return writer.thought('(not shown by the model)');
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return writer.toolStarted(textOf(part['id']), textOf(part['name']) ?? 'a tool', part['input'], {
        parentId: textOf(event['parent_tool_use_id']),
      });
    default:
      if (type?.endsWith('_tool_result') === true) return readToolResult(part, writer, state);
      writer.activity({ type: 'progress' });
      return writer.note({ level: 'info', logger: type ?? 'agent', message: boundedJson(part, 1000) });
  }
}

/** The texts of a message are one prompt, before what was attached to it. */
function readUser(event: JsonObject, parts: readonly JsonObject[], writer: AgentWriter, state: ClaudeState): void {
  const isText = (part: JsonObject): boolean => part['type'] === 'text';
  const isResult = (part: JsonObject): boolean => part['type'] === 'tool_result';
  const texts = parts.filter(isText);
  for (const part of parts) if (isResult(part)) readUserPart(event, part, writer, state);
  if (texts.length > 0) readUserPart(event, { type: 'text', text: textIn(texts) }, writer, state);
  for (const part of parts) if (!isText(part) && !isResult(part)) readUserPart(event, part, writer, state);
}

function readUserPart(event: JsonObject, part: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  const type = textOf(part['type']);
  if (type === 'tool_result') return readToolResult(part, writer, state);
  if (type !== 'text') {
    return writer.note({ level: 'info', logger: 'prompt', content: 'prompt', message: `(${type ?? 'something'})` });
  }
  // Text that the agent addresses to itself or to a subagent isn't a user prompt.
  if (isSubagent(event) || event['isSynthetic'] === true || event['isMeta'] === true || isInterruptNote(part)) {
    return writer.note({ level: 'debug', logger: 'prompt', content: 'prompt', message: textOf(part['text']) ?? '' });
  }
  const text = textOf(part['text']);
  if (!isCommandOutput(part)) return writer.prompt(text);
  if (text !== undefined) writer.note({ level: 'info', logger: 'prompt', content: 'prompt', message: text });
}

function readToolResult(part: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  const id = textOf(part['tool_use_id']);
  // A hook, another client or the end of the input has answered the tool's control request.
  const question = state.settled(id);
  if (question) writer.activity(question);
  const text = outputText(part['content']);
  const failed = part['is_error'] === true;
  // Bash reports the exit code only in the text.
  const code = failed ? /^Exit code (\d{1,10})\b/.exec(text)?.[1] : undefined;
  writer.toolEnded(id, {
    outcome: failed ? 'error' : 'ok',
    output: linesOf(part['content']),
    isInterrupted: state.interrupts.isInterrupted,
    shown: code === undefined ? text : text.slice(`Exit code ${code}`.length),
  });
}

/** True for the note that Claude Code leaves for its model when the user interrupts it. */
function isInterruptNote({ text }: JsonObject): boolean {
  return typeof text === 'string' && /^\[Request interrupted by user(?: for tool use)?\]$/.test(text.slice(0, 100));
}

/** True for what one of Claude Code's own commands printed, such as `/compact`. */
function isCommandOutput({ text }: JsonObject): boolean {
  return typeof text === 'string' && text.startsWith('<local-command-std');
}

/** The text of a result, with the line breaks needed to find an exit code. */
function linesOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return arrayOf(content)
    .slice(0, 20)
    .flatMap((block) => textOf(objectOf(block)['text']) ?? [])
    .join('\n');
}

function speakerOf(event: JsonObject): 'agent' | 'subagent' {
  // In a subagent's own file, the subagent is the agent.
  return textOf(event['parent_tool_use_id']) === undefined ? 'agent' : 'subagent';
}

function isSubagent(event: JsonObject): boolean {
  return textOf(event['parent_tool_use_id']) !== undefined || event['isSidechain'] === true;
}
