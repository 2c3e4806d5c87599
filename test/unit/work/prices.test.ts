import assert from 'node:assert/strict';
import type { Usage } from '../../../src/work/activity';
import type { PriceList } from '../../../src/work/usage/prices';
import { computedCost, priceListOf, wrongPrices } from '../../../src/work/usage/prices';

const prices: PriceList = {
  'opus-5': { input: 5, output: 25, cachedRead: 0.5, cacheWrite: 6.25 },
  'opus-*': { input: 1, output: 1 },
  'opus-5-*': { input: 2, output: 10 },
};
const usage: Usage = { inputTokens: 1_000_000, outputTokens: 100_000, basis: 'turn' };

describe('cost by the user’s prices', () => {
  it('counts what was read from and written to the cache by its own price', () => {
    const rows: readonly (readonly [usage: Partial<Usage> | undefined, model: string | undefined, cost?: number])[] = [
      [{}, 'opus-5', 7.5],
      [{ cachedTokens: 600_000, cacheWriteTokens: 200_000 }, 'opus-5', 1 + 0.3 + 1.25 + 2.5],
      [{ cachedTokens: 2_000_000 }, 'opus-5', 1 + 2.5],
      [{ cachedTokens: 600_000 }, 'opus-5-mini', 2 + 1],
      [{}, 'opus-4', 1.1],
      [{}, 'sonnet'],
      [{}, 'constructor'],
      [{}, undefined],
      [undefined, 'opus-5'],
      [{ costUsd: 0 }, 'opus-5'],
      [{ basis: 'request' }, 'opus-5'],
      [{ basis: 'cumulative' }, 'opus-5', 7.5],
    ];
    for (const [fields, model, cost] of rows) {
      const found = computedCost(fields && { ...usage, ...fields }, model, prices);
      assert.equal(found?.toFixed(6), cost?.toFixed(6), JSON.stringify([fields, model]));
    }
    assert.equal(computedCost({ totalTokens: 5, basis: 'turn' }, 'opus-5', prices), undefined);
  });

  it('reads prices, and names the entries that are none', () => {
    const wrong = {
      a: {},
      b: { input: 1 },
      c: { input: -1, output: 1 },
      d: { input: '1', output: 1 },
      e: { input: 1, output: 1, cached: 1 },
      f: { input: NaN, output: 1 },
      g: 5,
      h: null,
    };
    assert.deepEqual(priceListOf({ ...prices, ...wrong }), prices);
    assert.deepEqual(wrongPrices({ ...prices, ...wrong }), Object.keys(wrong));
    assert.deepEqual(priceListOf([1]), {});
  });
});
