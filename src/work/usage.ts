import type { Usage } from './activity';
import type { JsonObject } from '../log/json';
import { numberOf, objectOf } from '../log/json';

const names = {
  inputTokens: ['inputTokens', 'input_tokens', 'input', 'promptTokenCount'],
  outputTokens: ['outputTokens', 'output_tokens', 'output', 'candidatesTokenCount'],
  totalTokens: ['totalTokens', 'total_tokens', 'total'],
  cachedTokens: [
    'cachedReadTokens',
    'cacheReadTokens',
    'cache_read_input_tokens',
    'cached_input_tokens',
    'cachedContentTokenCount',
    'cacheRead',
    'cached',
  ],
} as const;

/** Reads the counts in a usage object by the field names that agents use. */
export function usageOf(fields: JsonObject, basis: Usage['basis'], cost?: unknown): Usage | undefined {
  const inputTokens = count(fields, names.inputTokens);
  const outputTokens = count(fields, names.outputTokens);
  const totalTokens = count(fields, names.totalTokens);
  const cachedTokens = count(fields, names.cachedTokens) ?? numberOf(objectOf(fields['cache'])['read']);
  const costUsd = numberOf(cost);
  const all = [inputTokens, outputTokens, totalTokens, cachedTokens, costUsd];
  if (all.every((value) => value === undefined)) return undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(totalTokens !== undefined && { totalTokens }),
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(costUsd !== undefined && { costUsd }),
    basis,
  };
}

/** The cost of a turn, if the agent reports the sum of all turns, in US dollars. `undefined` if it reports no cost. */
export function costOf(total: number, before: number): number | undefined {
  // A new conversation starts at 0.
  const cost = total >= before ? total - before : total;
  return cost > 0 ? Math.round(cost * 1e9) / 1e9 : undefined;
}

/** Adds the usage of one step of a turn to that of earlier steps. */
export function addUsage(before: Usage | undefined, step: Usage | undefined): Usage | undefined {
  if (!before || !step) return step ?? before;
  const sum = (a = 0, b = 0): number => a + b;
  return {
    inputTokens: sum(before.inputTokens, step.inputTokens),
    outputTokens: sum(before.outputTokens, step.outputTokens),
    totalTokens: sum(before.totalTokens, step.totalTokens),
    cachedTokens: sum(before.cachedTokens, step.cachedTokens),
    costUsd: sum(before.costUsd, step.costUsd),
    basis: step.basis,
  };
}

function count(fields: JsonObject, from: readonly string[]): number | undefined {
  const name = from.find((each) => numberOf(fields[each]) !== undefined);
  return name === undefined ? undefined : numberOf(fields[name]);
}
