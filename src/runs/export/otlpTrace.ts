import { createHash } from 'node:crypto';
import { shortId } from '../../log/sessionLabel';
import type { Span, SpanKind } from '../../timeline/span';
import type { RunTrace } from './traceFormat';
import { endOf } from './traceFormat';

type Value = string | number | boolean | undefined;
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Of `opentelemetry.proto.trace.v1`. */
const spanKinds = { internal: 1, client: 3 } as const;
const statusError = 2;

/**
 * OTLP/JSON (`ExportTraceServiceRequest`) by OpenTelemetry's semantic conventions for generative AI. A turn and all within it are one trace.
 * Nothing that a person, a model or a tool wrote is in it: no prompts, no titles of tool calls, no outputs. Session ids are bearer-like, so
 * only their last characters are.
 */
export function otlpTrace(trace: RunTrace): string {
  const byId = new Map(trace.spans.map((span) => [span.id, span]));
  const spans = trace.spans.map((span) => otlpSpan(span, trace, byId));
  const request = {
    resourceSpans: [
      {
        resource: { attributes: attributes({ 'service.name': trace.name, 'service.instance.id': trace.runId }) },
        scopeSpans: [{ scope: { name: 'agent-logs' }, spans }],
      },
    ],
  };
  return `${JSON.stringify(request)}\n`;
}

function otlpSpan(span: Span, trace: RunTrace, byId: ReadonlyMap<string, Span>): object {
  const { runId, name, now } = trace;
  // The oldest spans of a long run are forgotten.
  const parent = span.parent === undefined ? undefined : byId.get(span.parent);
  const errorType = errorTypeOf(span);
  return {
    traceId: hash(`${runId} ${rootOf(span, byId).id}`, 16),
    spanId: hash(`${runId} span ${span.id}`, 8),
    ...(parent && { parentSpanId: hash(`${runId} span ${parent.id}`, 8) }),
    name: nameOf(span, name),
    kind: span.kind === 'turn' ? spanKinds.client : spanKinds.internal,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(endOf(span, now)),
    attributes: attributes({
      ...operationOf(span, name),
      'gen_ai.conversation.id': span.sessionId === undefined ? undefined : shortId(span.sessionId),
      ...usageOf(span),
      'error.type': errorType,
      'agent_logs.kind': span.kind,
      'agent_logs.outcome': span.endedAt === undefined ? 'open' : span.outcome,
      'agent_logs.records': `${span.firstSeq}..${span.lastSeq}`,
      'agent_logs.retries': span.retries,
    }),
    status: errorType === undefined ? {} : { code: statusError },
  };
}

function rootOf(span: Span, byId: ReadonlyMap<string, Span>): Span {
  let root = span;
  for (;;) {
    const above = root.parent === undefined ? undefined : byId.get(root.parent);
    if (!above) return root;
    root = above;
  }
}

function nameOf({ kind, toolName, title }: Span, agent: string): string {
  switch (kind) {
    case 'turn':
      return `invoke_agent ${agent}`;
    case 'subagent':
      return 'invoke_agent';
    case 'tool':
      return toolName === undefined ? 'execute_tool' : `execute_tool ${toolName}`;
    case 'request':
      return title; // its method
    case 'permission':
    case 'compaction':
      return kind;
  }
}

const operations: Readonly<Partial<Record<SpanKind, string>>> = {
  turn: 'invoke_agent',
  subagent: 'invoke_agent',
  tool: 'execute_tool',
};

function operationOf({ kind, title, toolName, callId }: Span, agent: string): Readonly<Record<string, Value>> {
  return {
    'gen_ai.operation.name': operations[kind],
    'gen_ai.agent.name': kind === 'turn' ? agent : undefined,
    'gen_ai.tool.name': toolName,
    'gen_ai.tool.call.id': callId,
    'rpc.method': kind === 'request' ? title : undefined,
  };
}

/** Token counts that are cumulative, or of unknown scope, don't describe the span, so they get non-standard names. */
function usageOf({ usage }: Span): Readonly<Record<string, Value>> {
  if (!usage) return {};
  const prefix = usage.basis === 'turn' ? 'gen_ai.usage' : 'agent_logs.usage';
  return {
    [`${prefix}.input_tokens`]: usage.inputTokens,
    [`${prefix}.output_tokens`]: usage.outputTokens,
    [`${prefix}.cache_read.input_tokens`]: usage.cachedTokens,
    'agent_logs.usage.total_tokens': usage.totalTokens,
    'agent_logs.usage.cost_usd': usage.costUsd,
    'agent_logs.usage.basis': usage.basis,
  };
}

/** Of few values, as `error.type` has to be. */
function errorTypeOf({ outcome, detail }: Span): string | undefined {
  if (outcome === 'unanswered') return outcome;
  if (outcome !== 'error') return undefined;
  return /^exit -?\d{1,10}$/.test(detail ?? '') ? detail : '_OTHER';
}

function attributes(values: Readonly<Record<string, Value>>): readonly Attribute[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : { key, value: anyValue(value) }));
}

/** 64-bit integers are decimal strings in OTLP/JSON. */
function anyValue(value: string | number | boolean): Attribute['value'] {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: value.replace(/\p{Surrogate}/gu, '\ufffd') }; // collectors reject lone surrogates
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(Math.max(0, ms) * 1000)) * 1000n);
}

/** The same id for the same span each time it is exported. */
function hash(text: string, bytes: number): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, bytes * 2);
}
