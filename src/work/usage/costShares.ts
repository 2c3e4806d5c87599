import type { Usage } from '../activity';

/** About what a request cost, in prices of a token of input: most providers' prices are in these proportions. */
export function costWeight({
  inputTokens = 0,
  outputTokens = 0,
  cachedTokens = 0,
  cacheWriteTokens = 0,
}: Usage): number {
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  return fresh + 5 * outputTokens + 0.1 * cachedTokens + 1.25 * cacheWriteTokens;
}

/** A sum of money without the errors of floating-point arithmetic, in US dollars. */
export function roundedCost(costUsd: number): number {
  return Math.round(costUsd * 1e9) / 1e9;
}
