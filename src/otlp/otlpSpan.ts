import { createHash } from 'node:crypto';
import type { Attributes, SpanContext } from '@opentelemetry/api';
import { SpanKind as OtlpSpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { shortId } from '../text/sessionLabel';
import type { JoinedBy } from '../timeline/joins/call';
import type { Span } from '../timeline/span';
import type { StepKind } from '../work/step';
import { countNames, usageCounts } from '../work/usage/usageCounts';

/** The run that spans belong to. */
export interface OtlpSpanSource {
  /** The resource: `service.name` is the agent, `service.instance.id` the run. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Looks up a span, unless the run has evicted it. */
  span?(id: string): Span | undefined;
  /** The requests to MCP servers that a tool call caused, or the call that caused a request, in other runs. */
  linksOf?(span: Span): readonly FarSpan[];
}

export interface FarSpan {
  readonly context: SpanContext;
  readonly by: JoinedBy;
}

/** Maximum nesting depth. Deeper nesting is a bug. */
const maxDepth = 100;
export const otlpScope = { name: 'agent-logs' };

/** `gen_ai.operation.name`. That of hooks isn't in the conventions yet; VS Code's agent has the same. */
export type Operation = 'invoke_agent' | 'execute_tool' | 'execute_hook';

const operations: Readonly<Partial<Record<StepKind, Operation>>> = {
  turn: 'invoke_agent',
  subagent: 'invoke_agent',
  tool: 'execute_tool',
  hook: 'execute_hook',
};

/** Well-known values of `gen_ai.provider.name`, by what models and agents are called. */
const providers: readonly (readonly [pattern: RegExp, provider: string])[] = [
  [/\b(?:claude|opus|sonnet|haiku|anthropic)\b/i, 'anthropic'],
  [/\bgemini\b/i, 'gcp.gemini'],
  [/\b(?:mistral|codestral|devstral)\b/i, 'mistral_ai'],
  [/\bdeepseek\b/i, 'deepseek'],
  [/\bgrok\b/i, 'x_ai'],
  [/\b(?:gpt|codex|openai|o\d)\b/i, 'openai'],
];

/**
 * Converts the spans of one run to OpenTelemetry's, following the semantic conventions for generative AI. A turn and its parts form one
 * trace, or part of the trace in a `traceparent`. Nothing that a user, model or tool wrote is exported: no prompts, titles of tool calls
 * or outputs. Session IDs are bearer-like, so only their last characters are.
 */
export class OtlpSpans {
  private readonly resource: Resource;

  constructor(private readonly source: OtlpSpanSource) {
    this.resource = otlpResource(source);
  }

  /** @param now end time for spans that are still open, in milliseconds since the epoch */
  convert(span: Span, now: number): ReadableSpan {
    const { sessionId, startedAt, kind, outcome, retries, model, firstSeq, lastSeq } = span;
    const context = this.contextOf(span);
    const parent = this.parentOf(span);
    const parentContext = parent ? this.contextOf(parent) : joined(span);
    const agent = this.source.attributes['service.name'] ?? '';
    const errorType = errorTypeOf(span);
    const endedAt = Math.max(startedAt, span.endedAt ?? now);
    return {
      name: wellFormed(nameOf(span, agent)),
      kind: kind === 'turn' ? OtlpSpanKind.CLIENT : OtlpSpanKind.INTERNAL,
      spanContext: () => context,
      ...(parentContext && { parentSpanContext: parentContext }),
      startTime: otlpTime(startedAt),
      endTime: otlpTime(endedAt),
      duration: otlpTime(endedAt - startedAt),
      ended: true,
      status: { code: errorType === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
      attributes: defined({
        ...attributesOf(span, this.source),
        // Of client spans only, that is, of the agent that the client has asked.
        'gen_ai.provider.name': kind === 'turn' ? providerOf(`${model ?? ''} ${agent}`) : undefined,
        'gen_ai.conversation.id': sessionId === undefined ? undefined : shortId(sessionId),
        'gen_ai.request.model': model,
        ...usageOf(span),
        'error.type': errorType,
        'agent_logs.kind': kind,
        'agent_logs.outcome': span.endedAt === undefined ? 'open' : outcome,
        'agent_logs.records': `${firstSeq}..${lastSeq}`,
        'agent_logs.retries': retries,
      }),
      links: (this.source.linksOf?.(span) ?? []).map((link) => ({
        context: link.context,
        attributes: { 'agent_logs.joined_by': link.by },
      })),
      events: [],
      resource: this.resource,
      instrumentationScope: otlpScope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }

  /** Deterministic, so that exporting a span again gives the same context. */
  contextOf(span: Span): SpanContext {
    const run = this.source.attributes['service.instance.id'] ?? '';
    const root = this.rootOf(span);
    return {
      traceId: joined(root)?.traceId ?? hash(`${run} ${root.id}`, 16),
      spanId: hash(`${run} span ${span.id}`, 8),
      traceFlags: TraceFlags.SAMPLED,
    };
  }

  /** The oldest spans of a long run are evicted. */
  private parentOf({ parent }: Span): Span | undefined {
    return parent === undefined ? undefined : this.source.span?.(parent);
  }

  private rootOf(span: Span): Span {
    let root = span;
    for (let depth = 0; depth < maxDepth; depth++) {
      const above = this.parentOf(root);
      if (!above) break;
      root = above;
    }
    return root;
  }
}

export function otlpResource({ attributes }: OtlpSpanSource): Resource {
  return resourceFromAttributes(
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, wellFormed(value)])),
  );
}

/** Splits a time into seconds and nanoseconds. */
export function otlpTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1_000_000)];
}

/** Replaces lone surrogates, because collectors reject JSON with them. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function joined({ traceparent }: Span): SpanContext | undefined {
  return traceparent === undefined ? undefined : (parseTraceParent(traceparent) ?? undefined);
}

function nameOf({ kind, toolName, title }: Span, agent: string): string {
  switch (kind) {
    case 'turn':
      return `invoke_agent ${agent}`;
    case 'subagent':
      return 'invoke_agent';
    case 'tool':
      return toolName === undefined ? 'execute_tool' : `execute_tool ${toolName}`;
    case 'hook':
      return 'execute_hook';
    case 'request': // the method
    case 'span':
      return title;
    case 'permission':
    case 'compaction':
      return kind;
  }
}

function attributesOf(span: Span, source: OtlpSpanSource): Attributes {
  const { kind, title, toolName, callId } = span;
  return {
    'gen_ai.operation.name': operationOf(span),
    'gen_ai.agent.name': agentNameOf(span, source),
    'gen_ai.tool.name': toolName,
    'gen_ai.tool.call.id': callId,
    'agent_logs.hook': kind === 'hook' ? title : undefined,
    'rpc.method': kind === 'request' ? title : undefined,
  };
}

/** `gen_ai.operation.name`, for spans that have one. */
export function operationOf({ kind }: Span): Operation | undefined {
  return operations[kind];
}

/** The agent that a turn invoked; the names of subagents are content. */
export function agentNameOf({ kind }: Span, { attributes }: OtlpSpanSource): string | undefined {
  return kind === 'turn' ? wellFormed(attributes['service.name'] ?? '') : undefined;
}

/** The convention requires a provider, and says that it may differ from the actual one. */
function providerOf(modelAndAgent: string): string {
  return providers.find(([pattern]) => pattern.test(modelAndAgent))?.[1] ?? 'unknown';
}

/**
 * Only turns have a usage, whose spans may have all of these. Token counts that are cumulative, or of unknown scope, don't describe the span, so they
 * get non-standard names.
 */
function usageOf({ kind, usage }: Span): Attributes {
  if (!usage || kind !== 'turn') return {};
  const counts = countNames.map((name) => {
    const { otlp, isStandard } = usageCounts[name];
    return [`${isStandard && usage.basis === 'turn' ? 'gen_ai' : 'agent_logs'}.usage.${otlp}`, usage[name]] as const;
  });
  return { ...Object.fromEntries(counts), 'agent_logs.usage.basis': usage.basis };
}

/** Low cardinality, as `error.type` requires. */
export function errorTypeOf({ outcome, detail }: Span): string | undefined {
  if (outcome === 'unanswered') return outcome;
  if (outcome !== 'error') return undefined;
  return /^exit -?\d{1,10}$/.test(detail ?? '') ? detail : '_OTHER';
}

function defined(values: Attributes): Attributes {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? wellFormed(value) : value]),
  );
}

function hash(text: string, bytes: number): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, bytes * 2);
}
