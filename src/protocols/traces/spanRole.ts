import type { JsonObject } from '../../text/json';
import { textOf } from '../../text/json';

/** What a span is, by the conventions for generative AI. */
export type SpanRole = 'agent' | 'chat' | 'tool' | 'permission' | 'compaction' | 'subagent' | 'hook' | 'other';

const operations: Readonly<Record<string, SpanRole>> = {
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
  chat: 'chat',
  text_completion: 'chat',
  generate_content: 'chat',
  execute_tool: 'tool',
  execute_hook: 'hook',
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
  hook: 'hook',
  request: 'other',
  span: 'other',
};

/** What a span is; conventions that are older than `gen_ai.operation.name` have other names. */
export function roleOf(a: JsonObject): SpanRole {
  const kind = textOf(a['agent_logs.kind']);
  if (kind !== undefined) return lookUp(own, kind) ?? 'other';
  // Qwen Code
  if (textOf(a['hook_event']) !== undefined) return 'hook';
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
