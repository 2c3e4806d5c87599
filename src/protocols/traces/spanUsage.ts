import type { JsonObject } from '../../text/json';
import { isObject, numberOf, textOf } from '../../text/json';
import type { Usage } from '../../work/activity';

/** What it used; the input includes what came from the cache. */
export function usageIn(a: JsonObject): Usage | undefined {
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
  for (const name of names) if (isCount(a[`gen_ai.usage.${name}`])) return a[`gen_ai.usage.${name}`] as number;
  for (const name of more) if (isCount(a[name])) return a[name] as number;
  for (const name of names) if (isCount(a[`agent_logs.usage.${name}`])) return a[`agent_logs.usage.${name}`] as number;
  return undefined;
}

function isCount(value: unknown): boolean {
  return (numberOf(value) ?? -1) >= 0;
}
