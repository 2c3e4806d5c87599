import type { JsonObject } from '../../../text/json';
import { changesOfResult } from '../changes';
import { numberOf, objectOf, textOf, textsOf } from '../../../text/json';
import type { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { ClaudeState } from './state';
import { claudeReport } from '../reports';
import { usageOf } from '../../../work/usage/usage';
import { convention } from '../usage';
import { textIn } from '../../reading/saved/parts';
import { readBlocks, isResult, readAnswerBlock, readAttached, resultOf } from '../content';

const maxModel = 100;

/** Reads `assistant` and `user` messages, with one record per content block of Anthropic's Messages API. */
export function readClaudeMessage(event: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  readBlocks(event['message'], writer, (parts) => {
    if (event['type'] === 'user') readUser(event, parts, writer, state);
    else readAssistant(event, parts, writer, state);
  });
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
  if (isResult(part)) return readToolResult(event, part, writer, state);
  const logger = isSubagent(event) ? 'subagent' : 'agent';
  state.hasSpoken ||= part['type'] === 'text' && logger === 'agent';
  const parentId = textOf(event['parent_tool_use_id']);
  readAnswerBlock(part, writer, { speaker: speakerOf(event), logger, parentId });
}

/** The texts of a message are one prompt, before what was attached to it. */
function readUser(event: JsonObject, parts: readonly JsonObject[], writer: AgentWriter, state: ClaudeState): void {
  const isText = (part: JsonObject): boolean => part['type'] === 'text';
  const texts = parts.filter(isText);
  for (const part of parts) if (isResult(part)) readUserPart(event, part, writer, state);
  if (texts.length > 0) readUserPart(event, { type: 'text', text: textIn(texts) }, writer, state);
  for (const part of parts) if (!isText(part) && !isResult(part)) readUserPart(event, part, writer, state);
}

function readUserPart(event: JsonObject, part: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  if (isResult(part)) return readToolResult(event, part, writer, state);
  if (part['type'] !== 'text') return readAttached(part, writer);
  // Text that the agent addresses to itself or to a subagent isn't a user prompt.
  if (isSubagent(event) || event['isSynthetic'] === true || event['isMeta'] === true || isInterruptNote(part)) {
    return writer.note({ level: 'debug', logger: 'prompt', content: 'prompt', message: textOf(part['text']) ?? '' });
  }
  const text = textOf(part['text']);
  if (!isCommandOutput(part)) return writer.prompt(text);
  if (text !== undefined) writer.note({ level: 'info', logger: 'prompt', content: 'prompt', message: text });
}

function readToolResult(event: JsonObject, part: JsonObject, writer: AgentWriter, state: ClaudeState): void {
  const id = textOf(part['tool_use_id']);
  // A hook, another client or the end of the input has answered the tool's control request.
  const { id: asked, ...about } = state.settled(id) ?? { id: undefined };
  if (asked !== undefined) writer.settled(asked, 'cancelled', undefined, { ...about, isLost: true });
  const { isInterrupted } = state.interrupts;
  writer.toolEnded(id, { ...resultOf(part), changes: changesOfResult(event), isInterrupted });
}

/** True for the note that Claude Code leaves for its model when the user interrupts it. */
function isInterruptNote({ text }: JsonObject): boolean {
  return typeof text === 'string' && /^\[Request interrupted by user(?: for tool use)?\]$/.test(text.slice(0, 100));
}

/** True for what one of Claude Code's own commands printed, such as `/compact`. */
function isCommandOutput({ text }: JsonObject): boolean {
  return typeof text === 'string' && text.startsWith('<local-command-std');
}

function speakerOf(event: JsonObject): 'agent' | 'subagent' {
  // In a subagent's own file, the subagent is the agent.
  return textOf(event['parent_tool_use_id']) === undefined ? 'agent' : 'subagent';
}

function isSubagent(event: JsonObject): boolean {
  return textOf(event['parent_tool_use_id']) !== undefined || event['isSidechain'] === true;
}
