import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Attributes } from '@opentelemetry/api';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { OtlpSpans } from '../../../src/otlp/otlpSpan';
import type { Span } from '../../../src/timeline/span';
import { recordedSpans } from '../../support/recordedSpans';

/**
 * Names and types of the OpenTelemetry registry, as of semantic conventions 1.45.0 and of open-telemetry/semantic-conventions-genai 0.1.0, whose
 * `docs/gen-ai/non-normative/migration.md` lists what has changed.
 */
const registry = new Map([
  ...[
    ...['error.type', 'rpc.method', 'service.instance.id', 'service.name', 'gen_ai.agent.name'],
    ...['gen_ai.conversation.id', 'gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'],
    ...['gen_ai.tool.call.id', 'gen_ai.tool.name'],
  ].map((name) => [name, 'string'] as const),
  ...['cache_read.input', 'cache_write.input', 'input', 'output', 'reasoning.output'].map(
    (name) => [`gen_ai.usage.${name}_tokens`, 'int'] as const,
  ),
]);
const operations = new Set(['invoke_agent', 'execute_tool', 'execute_hook']);
const agent = 'Bookshop';

describe('OTLP spans: semantic conventions', () => {
  let spans: readonly ReadableSpan[];
  before(() => (spans = convertedSpans()));

  it('have names and types of the registry, or a namespace of their own', () => {
    assert.ok(spans.length > 200);
    assert.deepEqual([...new Set(spans.flatMap((span) => mistakesIn(span.attributes)))], []);
    assert.deepEqual([...new Set(spans.flatMap((span) => mistakesIn(span.resource.attributes)))], []);
  });

  it('of agents and tools have the required attributes, name and kind', () => {
    for (const { name, kind, attributes, status } of spans) {
      const operation = attributes['gen_ai.operation.name'];
      if (operation === undefined) continue;
      assert.ok(operations.has(String(operation)));
      const target = attributes['gen_ai.agent.name'] ?? attributes['gen_ai.tool.name'];
      assert.equal(name, target === undefined ? operation : `${operation as string} ${target as string}`);
      assert.equal(kind === SpanKind.CLIENT, attributes['agent_logs.kind'] === 'turn');
      assert.equal(kind === SpanKind.CLIENT, typeof attributes['gen_ai.provider.name'] === 'string');
      assert.equal(status.code === SpanStatusCode.ERROR, attributes['error.type'] !== undefined);
    }
  });

  it('have the usage of a turn, and on no other span', () => {
    const input = { inputTokens: 742_656, cachedTokens: 3, cacheWriteTokens: 742_650 };
    const usage = { ...input, outputTokens: 22, reasoningTokens: 7, basis: 'turn' } as const;
    const span: Span = { id: 'turn-1', kind: 'turn', title: '', startedAt: 0, firstSeq: 1, lastSeq: 1, usage };
    const usageIn = (one: Span): Attributes =>
      Object.fromEntries(
        Object.entries(converter([one]).convert(one, 1).attributes).filter(([name]) => name.includes('.usage.')),
      );
    assert.deepEqual(usageIn(span), {
      'gen_ai.usage.input_tokens': 742_656,
      'gen_ai.usage.cache_read.input_tokens': 3,
      'gen_ai.usage.cache_write.input_tokens': 742_650,
      'gen_ai.usage.output_tokens': 22,
      'gen_ai.usage.reasoning.output_tokens': 7,
      'agent_logs.usage.basis': 'turn',
    });
    assert.deepEqual(usageIn({ ...span, kind: 'tool' }), {});
    const cumulative = usageIn({ ...span, usage: { inputTokens: 9, basis: 'cumulative' } });
    assert.deepEqual(cumulative, { 'agent_logs.usage.input_tokens': 9, 'agent_logs.usage.basis': 'cumulative' });
  });

  it('name the provider by the model, else by the agent', () => {
    const span: Span = { id: 'turn-1', kind: 'turn', title: '', startedAt: 0, firstSeq: 1, lastSeq: 1 };
    const provider = (model: string): unknown =>
      converter([span]).convert({ ...span, model }, 1).attributes['gen_ai.provider.name'];
    assert.deepEqual(['claude-opus-5-5', 'gpt-6', 'mock'].map(provider), ['anthropic', 'openai', 'unknown']);
  });
});

function mistakesIn(attributes: Attributes): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const type = typeof value === 'number' ? (Number.isInteger(value) ? 'int' : 'double') : typeof value;
    const expected = registry.get(name);
    const isOwn = expected === undefined && name.startsWith('agent_logs.');
    return isOwn || type === expected ? [] : [`${name}: ${type}`];
  });
}

function convertedSpans(): ReadableSpan[] {
  return ['test/fixtures/transcripts', 'test/fixtures/acp'].flatMap((folder) => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.ndjson') && !file.startsWith('lsp'));
    return files.flatMap((file) => {
      const spansOfRun = recordedSpans(join(folder, file), file.startsWith('mcp') ? 'mcp' : 'acp');
      const of = converter(spansOfRun);
      return spansOfRun.map((span) => of.convert(span, span.startedAt));
    });
  });
}

function converter(spans: readonly Span[]): OtlpSpans {
  const attributes = { 'service.name': agent, 'service.instance.id': 'run-1' };
  const byId = new Map(spans.map((span) => [span.id, span]));
  return new OtlpSpans({ attributes, span: (id) => byId.get(id) });
}
