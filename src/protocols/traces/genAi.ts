import type { JsonObject } from '../../log/json';
import { arrayOf, isObject, numberOf, objectOf, textOf } from '../../log/json';
import { parsedJson } from '../../log/jsonText';
import type { Usage } from '../../work/activity';
import { contentTextOf } from '../../work/toolOutput';
import type { TraceSpan } from './traceSpan';

/** What a span is, by the conventions for generative AI. */
export type SpanRole = 'agent' | 'chat' | 'tool' | 'permission' | 'compaction' | 'subagent' | 'other';

const operations: Readonly<Record<string, SpanRole>> = {
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
  chat: 'chat',
  text_completion: 'chat',
  generate_content: 'chat',
  execute_tool: 'tool',
};
/** `openinference.span.kind`, `traceloop.span.kind` and `ai.operationId`. */
const others: Readonly<Record<string, SpanRole>> = {
  AGENT: 'agent',
  LLM: 'chat',
  TOOL: 'tool',
  workflow: 'agent',
  agent: 'agent',
  tool: 'tool',
  'ai.generateText': 'agent',
  'ai.streamText': 'agent',
  'ai.generateObject': 'agent',
  'ai.streamObject': 'agent',
  'ai.generateText.doGenerate': 'chat',
  'ai.streamText.doStream': 'chat',
  'ai.generateObject.doGenerate': 'chat',
  'ai.streamObject.doStream': 'chat',
  'ai.toolCall': 'tool',
};
/** `agent_logs.kind`. */
const own: Readonly<Record<string, SpanRole>> = {
  turn: 'agent',
  subagent: 'subagent',
  tool: 'tool',
  permission: 'permission',
  compaction: 'compaction',
  request: 'other',
};

const sessionNames = [
  'gen_ai.conversation.id',
  'session.id',
  'traceloop.association.properties.session_id',
  'ai.telemetry.metadata.sessionId',
];

/** What a span is; conventions that are older than `gen_ai.operation.name` have other names. */
export function roleOf({ attributes: a }: TraceSpan): SpanRole {
  const kind = textOf(a['agent_logs.kind']);
  if (kind !== undefined) return lookUp(own, kind) ?? 'other';
  // The AI SDK uses the name of the inner operation for the outer one, too.
  const vendor = lookUp(others, textOf(a['ai.operationId'])) ?? lookUp(others, textOf(a['openinference.span.kind']));
  const operation = textOf(a['gen_ai.operation.name']);
  if (vendor) return vendor;
  if (operation !== undefined) return lookUp(operations, operation) ?? 'other';
  const kindOf = lookUp(others, textOf(a['traceloop.span.kind']));
  if (kindOf) return kindOf;
  const isRequest = a['llm.request.type'] === 'chat' || a['llm.request.type'] === 'completion';
  return isRequest || ('gen_ai.system' in a && 'gen_ai.request.model' in a) ? 'chat' : 'other';
}

function lookUp(table: Readonly<Record<string, SpanRole>>, name: string | undefined): SpanRole | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

export function sessionOf({ attributes }: TraceSpan): string | undefined {
  return firstText(attributes, sessionNames)?.slice(0, 200);
}

export function modelOf({ attributes }: TraceSpan): string | undefined {
  return firstText(attributes, ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id']);
}

/** What it used; the input includes what came from the cache. */
export function usageIn({ attributes: a }: TraceSpan): Usage | undefined {
  if (isObject(a['agent_logs.usage'])) return ownUsage(a['agent_logs.usage']);
  const basis = textOf(a['agent_logs.usage.basis']);
  const counts = {
    inputTokens: count(
      a,
      ['input_tokens', 'prompt_tokens'],
      ['llm.token_count.prompt', 'ai.usage.promptTokens', 'ai.usage.inputTokens'],
    ),
    outputTokens: count(
      a,
      ['output_tokens', 'completion_tokens'],
      ['llm.token_count.completion', 'ai.usage.completionTokens', 'ai.usage.outputTokens'],
    ),
    totalTokens: numberOf(a['agent_logs.usage.total_tokens']),
    cachedTokens: count(
      a,
      ['cache_read.input_tokens', 'cache_read_input_tokens'],
      ['llm.token_count.prompt_details.cache_read', 'ai.usage.cachedInputTokens'],
    ),
    cacheWriteTokens: count(
      a,
      ['cache_write.input_tokens', 'cache_creation.input_tokens', 'cache_creation_input_tokens'],
      ['llm.token_count.prompt_details.cache_write'],
    ),
    reasoningTokens: count(
      a,
      ['reasoning.output_tokens', 'reasoning_tokens'],
      ['llm.token_count.completion_details.reasoning', 'ai.usage.reasoningTokens'],
    ),
    contextTokens: numberOf(a['agent_logs.usage.context_tokens']),
    contextWindow: numberOf(a['agent_logs.usage.context_window']),
    costUsd: numberOf(a['agent_logs.usage.cost_usd']),
  };
  const known = Object.entries(counts).filter(([, value]) => value !== undefined);
  if (known.length === 0) return undefined;
  const isOurs = basis === 'cumulative' || basis === 'unknown';
  return { ...(Object.fromEntries(known) as Partial<Usage>), basis: isOurs ? basis : 'turn' };
}

/** As our own export of Chrome traces has it; anyone may have written the file. */
function ownUsage(usage: JsonObject): Usage {
  const basis = usage['basis'];
  const counts = Object.entries(usage).filter(([, value]) => numberOf(value) !== undefined);
  return {
    ...(Object.fromEntries(counts) as Partial<Usage>),
    basis: basis === 'turn' || basis === 'cumulative' ? basis : 'unknown',
  };
}

function count(a: JsonObject, names: readonly string[], more: readonly string[]): number | undefined {
  const all = [
    ...names.map((name) => `gen_ai.usage.${name}`),
    ...more,
    ...names.map((name) => `agent_logs.usage.${name}`),
  ];
  const found = all.map((name) => numberOf(a[name])).find((value) => value !== undefined && value >= 0);
  return found;
}

/** The last prompt of the user in what was sent, if it was captured. */
export function promptOf({ attributes: a }: TraceSpan): string | undefined {
  const sent = messagesIn(a['gen_ai.input.messages']) ?? messagesIn(objectOf(json(a['ai.prompt']))['messages']);
  const last = sent?.findLast(({ role }) => role === 'user');
  return (
    (last && messageText(last, 'text')) ??
    textOf(objectOf(json(a['ai.prompt']))['prompt']) ??
    numbered(a, 'gen_ai.prompt', 'role', 'content') ??
    numbered(a, 'llm.input_messages', 'message.role', 'message.content')
  );
}

/** The answer and the reasoning of the model, if they were captured. */
export function answerOf({ attributes: a }: TraceSpan): {
  readonly text?: string | undefined;
  readonly thought?: string | undefined;
} {
  const answers = messagesIn(a['gen_ai.output.messages']) ?? [];
  const join = (type: string): string | undefined =>
    textOf(
      answers
        .map((one) => messageText(one, type) ?? '')
        .join('\n')
        .trim(),
    );
  const text = join('text') ?? textOf(a['ai.response.text']) ?? textOf(a['gen_ai.completion.0.content']);
  return { text: text ?? textOf(a['llm.output_messages.0.message.content']), thought: join('reasoning') };
}

/** The arguments and the result of a tool call, if they were captured. */
export function toolContent({ attributes: a }: TraceSpan): { readonly input: unknown; readonly output: unknown } {
  const input =
    a['gen_ai.tool.call.arguments'] ?? a['ai.toolCall.args'] ?? a['input.value'] ?? a['traceloop.entity.input'];
  const output =
    a['gen_ai.tool.call.result'] ?? a['ai.toolCall.result'] ?? a['output.value'] ?? a['traceloop.entity.output'];
  return { input: json(input), output };
}

export function toolNameOf({ attributes, name }: TraceSpan): string {
  const named = firstText(attributes, ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name', 'traceloop.entity.name']);
  return named ?? name.replace(/^execute_tool /, '');
}

export function callIdOf({ attributes }: TraceSpan): string | undefined {
  return firstText(attributes, ['gen_ai.tool.call.id', 'tool_call.id', 'ai.toolCall.id']);
}

/** Why the model stopped, by ACP's names, if it isn't that it was done. */
export function stopReasonOf({ attributes: a }: TraceSpan): string | undefined {
  const reasons = a['gen_ai.response.finish_reasons'];
  const reason = textOf(arrayOf(json(reasons))[0]) ?? textOf(a['ai.response.finishReason']);
  if (reason === 'length' || reason === 'max_tokens') return 'max_tokens';
  return reason === 'content_filter' || reason === 'refusal' ? 'refusal' : undefined;
}

function firstText(attributes: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(attributes[name])).find((text) => text !== undefined);
}

/** Attributes have structured values as JSON, or as themselves. */
function json(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? (parsedJson(value) ?? value) : value;
}

function messagesIn(value: unknown): readonly JsonObject[] | undefined {
  const list = json(value);
  return Array.isArray(list) ? list.filter(isObject) : undefined;
}

function messageText({ parts, content }: JsonObject, type: string): string | undefined {
  if (!Array.isArray(parts)) return type === 'text' ? contentTextOf(content) : undefined;
  const texts = parts.map(objectOf).flatMap((part) => (part['type'] === type ? (textOf(part['content']) ?? []) : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

const maxNumbered = 1000;

/** The last message of the user in `PREFIX.0.content`, `PREFIX.1.content` … */
function numbered(a: JsonObject, prefix: string, role: string, content: string): string | undefined {
  let found: string | undefined;
  for (let n = 0; n < maxNumbered && `${prefix}.${n}.${role}` in a; n++) {
    if (a[`${prefix}.${n}.${role}`] === 'user') found = textOf(a[`${prefix}.${n}.${content}`]) ?? found;
  }
  return found;
}
