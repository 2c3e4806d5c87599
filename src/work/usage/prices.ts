import { isObject } from '../../text/json';
import type { Usage } from '../activity';

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Input that is read from and written to the provider's cache; like other input if absent. */
  readonly cachedRead?: number;
  readonly cacheWrite?: number;
}

/** The user's prices by the name of a model, or by its beginning and `*`. */
export type PriceList = Readonly<Record<string, ModelPrices>>;

const fields = ['input', 'output', 'cachedRead', 'cacheWrite'] as const;
const million = 1_000_000;

/** The valid entries of a list. */
export function priceListOf(value: unknown): PriceList {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([model, given]) => (isPrices(given) ? [[model, given]] : [])),
  );
}

/** The names of entries that aren't valid. */
export function wrongPrices(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value).filter((model) => !isPrices(value[model])) : [];
}

function isPrices(value: unknown): value is ModelPrices {
  if (!isObject(value) || value['input'] === undefined || value['output'] === undefined) return false;
  return Object.entries(value).every(
    ([name, price]) => fields.some((field) => field === name) && typeof price === 'number' && price >= 0 && price < 1e6,
  );
}

/**
 * What a usage costs by the user's prices, in US dollars; `undefined` if its model has no price, if the agent reports a cost, or if it doesn't
 * count everything. Reported and computed costs are never added up.
 */
export function computedCost(
  usage: Usage | undefined,
  model: string | undefined,
  prices: PriceList,
): number | undefined {
  const price = model === undefined ? undefined : priceOf(model, prices);
  if (!price || !usage || usage.costUsd !== undefined || usage.basis === 'request') return undefined;
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const { input, output, cachedRead = input, cacheWrite = input } = price;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  return (fresh * input + cachedTokens * cachedRead + cacheWriteTokens * cacheWrite + outputTokens * output) / million;
}

/** The longest beginning wins. */
function priceOf(model: string, prices: PriceList): ModelPrices | undefined {
  if (Object.hasOwn(prices, model)) return prices[model];
  const [best] = Object.keys(prices)
    .filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.length - a.length);
  return best === undefined ? undefined : prices[best];
}
