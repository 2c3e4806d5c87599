import type { Usage } from '../activity';

/** Of a token, in prices of one of input: most providers' prices are in these proportions. */
export const prices = { output: 5, cached: 0.1, cacheWrite: 1.25 } as const;

/** About what a request cost, in prices of a token of input. */
export function costWeight({
  inputTokens = 0,
  outputTokens = 0,
  cachedTokens = 0,
  cacheWriteTokens = 0,
}: Usage): number {
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  return fresh + prices.output * outputTokens + prices.cached * cachedTokens + prices.cacheWrite * cacheWriteTokens;
}

/** A sum of money without the errors of floating-point arithmetic, in US dollars. */
export function roundedCost(costUsd: number): number {
  return Math.round(costUsd * 1e9) / 1e9;
}
