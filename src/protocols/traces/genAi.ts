import type { JsonObject } from '../../text/json';
import { arrayOf, isObject, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import { ownEnds } from '../../text/ownText';
import type { Usage } from '../../work/activity';
import type { ToolInput } from '../../work/tools/callText';
import { toolInput } from '../../work/tools/callText';
import { commandOf } from '../../work/tools/toolOutput';
import { contentTextOf } from '../../work/tools/contentText';
import { outputText, toolTitle } from '../agentWriter/toolText';
import type { SpanRole } from './spanRole';
import { roleOf } from './spanRole';
import { usageIn } from './spanUsage';

/** What a span, or an event of it, says by the conventions for generative AI. Spans wait for others, so its texts are short. */
export interface GenAi {
  readonly role: SpanRole;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  /** The last prompt of the user in what was sent. */
  readonly prompt?: string | undefined;
  readonly answer?: string | undefined;
  readonly thought?: string | undefined;
  /** Why the model stopped, by ACP's names, if it isn't that it was done. */
  readonly stopReason?: string | undefined;
  /** The tool calls that the model asks for. */
  readonly calls?: readonly ToolContent[];
  /** The results of tool calls that were sent to the model. */
  readonly results?: readonly ToolResult[];
  readonly tool?: ToolContent;
  /** The event that a hook ran at. */
  readonly hook?: string;
  readonly isCancelled: boolean;
  /** As our own export says it. */
  readonly outcome?: string | undefined;
  /** Its name is a title of ours. */
  readonly isTitled: boolean;
}

/** A tool call, as far as its content was captured. */
export interface ToolContent extends ToolInput {
  readonly id: string | undefined;
  readonly name: string;
  readonly title: string;
  readonly command: string | undefined;
  readonly output: string;
}

export interface ToolResult {
  readonly id: string;
  readonly output: string;
}

const sessionNames = [
  'gen_ai.conversation.id',
  'session.id',
  'traceloop.association.properties.session_id',
  'ai.telemetry.metadata.sessionId',
];
const hookNames = ['agent_logs.hook', 'copilot_chat.hook_type', 'hook_event'];
/** How libraries call errors of work that was cancelled. */
const cancelled = /(?:^|\.)(?:AbortError|Cancell?edError|TaskCanceledException|KeyboardInterrupt|cancell?ed)$/;
/** Limits of what is kept, in characters. */
const maxText = 8000;
const maxTitle = 1000;
const maxName = 200;
/** Maximum number of messages, and of the tool calls in them, to look at. */
const maxMessages = 1000;
const maxCalls = 100;

/** @param name the span's */
export function genAiOf(a: JsonObject, name: string): GenAi {
  const role = roleOf(a);
  // Qwen Code's hooks say whether the agent may go on.
  const outcome = a['should_proceed'] === false ? 'refused' : textOf(a['agent_logs.outcome']);
  const isTitled = a['agent_logs.title'] === true;
  return {
    role,
    session: sessionIn(a),
    agent: short(a['gen_ai.agent.name']),
    model: firstText(a, ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id'], maxName),
    usage: usageIn(a),
    ...contentIn(a),
    ...(role === 'tool' && { tool: toolIn(a, name, isTitled) }),
    ...(role === 'hook' && { hook: firstText(a, hookNames, maxName) ?? name }),
    isCancelled:
      outcome === 'cancelled' ||
      String(a['copilot_chat.canceled']) === 'true' ||
      cancelled.test(short(a['error.type']) ?? ''),
    outcome,
    isTitled,
  };
}

export function sessionIn(attributes: JsonObject): string | undefined {
  return firstText(attributes, sessionNames, maxName);
}

/** The messages of a model request. Most programs don't capture them. */
export type Content = Pick<GenAi, 'prompt' | 'answer' | 'thought' | 'stopReason' | 'calls' | 'results'>;

function contentIn(a: JsonObject): Content {
  const sent = messagesIn(a['gen_ai.input.messages']) ?? messagesIn(objectOf(json(a['ai.prompt']))['messages']);
  const answers = messagesIn(a['gen_ai.output.messages']) ?? [];
  const prompt =
    textOf(a['copilot_chat.user_request']) ??
    (sent && promptIn(sent)) ??
    textOf(objectOf(json(a['ai.prompt']))['prompt']) ??
    numbered(a, 'gen_ai.prompt', 'role', 'content') ??
    numbered(a, 'llm.input_messages', 'message.role', 'message.content');
  const answer =
    textIn(answers, 'text') ??
    firstText(
      a,
      ['ai.response.text', 'gen_ai.completion.0.content', 'llm.output_messages.0.message.content'],
      Infinity,
    );
  const reason =
    textOf(arrayOf(json(a['gen_ai.response.finish_reasons']))[0]) ??
    textOf(a['ai.response.finishReason']) ??
    textOf(answers[0]?.['finish_reason']);
  const calls = answers.flatMap(callsIn);
  const results = (sent ?? []).flatMap(resultsIn);
  return {
    prompt: text(prompt),
    answer: text(answer),
    thought: text(textIn(answers, 'reasoning') ?? textOf(a['copilot_chat.reasoning_content'])),
    stopReason: stopReasonOf(reason),
    ...(calls.length > 0 && { calls: calls.slice(0, maxCalls) }),
    // A request has all results so far.
    ...(results.length > 0 && { results: results.slice(-maxCalls) }),
  };
}

export function stopReasonOf(reason: unknown): string | undefined {
  if (reason === 'length' || reason === 'max_tokens') return 'max_tokens';
  return reason === 'content_filter' || reason === 'refusal' ? 'refusal' : undefined;
}

function toolIn(a: JsonObject, spanName: string, isTitled: boolean): ToolContent {
  const names = ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name'];
  const name = firstText(a, names, maxName) ?? spanName.replace(/^execute_tool /, '');
  const id = firstText(a, ['gen_ai.tool.call.id', 'tool_call.id', 'ai.toolCall.id'], maxName);
  const input =
    a['gen_ai.tool.call.arguments'] ?? a['ai.toolCall.args'] ?? a['input.value'] ?? a['traceloop.entity.input'];
  const output =
    a['gen_ai.tool.call.result'] ?? a['ai.toolCall.result'] ?? a['output.value'] ?? a['traceloop.entity.output'];
  const call = toolContent(id, name, input, output);
  return isTitled ? { ...call, title: ownEnds(spanName, maxTitle) } : call;
}

/** @param input JSON, or the object itself */
export function toolContent(id: string | undefined, name: string, input: unknown, output: unknown): ToolContent {
  const given = json(input);
  const command = commandOf(given);
  return {
    id,
    name,
    title: ownEnds(toolTitle(name, given), maxTitle),
    command: text(command),
    ...toolInput(given, name),
    output: text(outputText(output)) ?? '',
  };
}

/** The user's last message. */
function promptIn(sent: readonly JsonObject[]): string | undefined {
  const last = sent.findLast(({ role }) => role === 'user');
  return last && messageText(last, 'text');
}

function textIn(messages: readonly JsonObject[], type: string): string | undefined {
  const texts = messages.map((one) => messageText(one, type) ?? '');
  return textOf(texts.join('\n').trim());
}

function messageText({ parts, content }: JsonObject, type: string): string | undefined {
  if (!Array.isArray(parts)) return type === 'text' ? contentTextOf(content) : undefined;
  const texts = parts.map(objectOf).flatMap((part) => (part['type'] === type ? (textOf(part['content']) ?? []) : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** The calls in the parts of an answer, or beside its content, as older conventions have them. */
export function callsIn({ parts, tool_calls: calls }: JsonObject): readonly ToolContent[] {
  const asked = arrayOf(parts)
    .map(objectOf)
    .filter(({ type }) => type === 'tool_call');
  return [...asked, ...arrayOf(json(calls)).map(objectOf)].slice(0, maxCalls).flatMap((call) => {
    const { name = call['name'], arguments: given = call['arguments'] } = objectOf(call['function']);
    return textOf(name) === undefined ? [] : toolContent(short(call['id']), short(name) ?? '', given, undefined);
  });
}

export function resultsIn({ role, parts, content, id, tool_call_id: callId }: JsonObject): readonly ToolResult[] {
  const own = short(id ?? callId);
  if (!Array.isArray(parts)) {
    return role === 'tool' && own !== undefined ? [{ id: own, output: outputOf(content) }] : [];
  }
  return parts.map(objectOf).flatMap((part) => {
    const of = short(part['id']);
    if (part['type'] !== 'tool_call_response' || of === undefined) return [];
    return { id: of, output: outputOf(part['response'] ?? part['result']) };
  });
}

function outputOf(value: unknown): string {
  return text(outputText(value)) ?? '';
}

/** A text that is kept while its span waits. */
export function text(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : ownEnds(value, maxText);
}

function short(value: unknown): string | undefined {
  return textOf(value)?.slice(0, maxName);
}

function firstText(attributes: JsonObject, names: readonly string[], max: number): string | undefined {
  return names
    .map((name) => textOf(attributes[name]))
    .find((one) => one !== undefined)
    ?.slice(0, max);
}

/** Attributes have structured values as JSON, or as themselves. */
export function json(value: unknown): unknown {
  return typeof value === 'string' && /^\s{0,100}[[{]/.test(value) ? (parsedJson(value) ?? value) : value;
}

function messagesIn(value: unknown): readonly JsonObject[] | undefined {
  const list = json(value);
  return Array.isArray(list) ? list.slice(-maxMessages).filter(isObject) : undefined;
}

/** The last message of the user in `PREFIX.0.content`, `PREFIX.1.content` … */
function numbered(a: JsonObject, prefix: string, role: string, content: string): string | undefined {
  let found: string | undefined;
  for (let n = 0; n < maxMessages && `${prefix}.${n}.${role}` in a; n++) {
    if (a[`${prefix}.${n}.${role}`] === 'user') found = textOf(a[`${prefix}.${n}.${content}`]) ?? found;
  }
  return found;
}
