import assert from 'node:assert/strict';
import type { Usage } from '../../../src/work/activity';
import { contextIn, contextText, usageDetails, usageText } from '../../../src/timeline/usageText';

describe('usage as text', () => {
  const text = (more: Partial<Usage>): string => usageText({ basis: 'turn', ...more });

  it('says what tokens and costs count', () => {
    assert.equal(text({ inputTokens: 0, outputTokens: 999 }), '0 in, 999 out');
    assert.equal(text({ inputTokens: 999_949, outputTokens: 999_950 }), '999.9k in, 1.0M out');
    assert.equal(text({ inputTokens: 5, totalTokens: 7 }), '5 in');
    assert.equal(text({ totalTokens: 7000, basis: 'cumulative' }), '7.0k tokens (session so far)');
    assert.equal(text({ totalTokens: 7, basis: 'unknown', costUsd: 0.0123 }), '7 tokens, $0.0123 (as reported)');
    assert.equal(text({ inputTokens: 1500, outputTokens: 60, basis: 'request' }), '1.5k in, 60 out (last model call)');
    assert.equal(text({ costUsd: 1.5 }), '$1.50');
    assert.equal(text({ costUsd: 0.06 }), '$0.06');
    assert.equal(text({ costUsd: 0 }), '');
  });

  it('has the share of the input that came from the cache', () => {
    const used = { inputTokens: 12_400, cachedTokens: 11_390, outputTokens: 1200, costUsd: 0.12 };
    assert.equal(text(used), '12.4k in (91 % cached), 1.2k out, $0.12');
    assert.equal(text({ inputTokens: 1000, cachedTokens: 999 }), '1.0k in (99 % cached)');
    assert.equal(text({ inputTokens: 1000, cachedTokens: 0 }), '1.0k in (0 % cached)');
    assert.equal(text({ inputTokens: 3, cachedTokens: 5000 }), '3 in (100 % cached)');
    assert.equal(text({ inputTokens: 0, cachedTokens: 0 }), '0 in');
  });

  it('is exact in details, and leaves out what is unknown or the sum of the others', () => {
    const usage: Usage = {
      inputTokens: 742_656,
      cachedTokens: 0,
      cacheWriteTokens: 742_653,
      outputTokens: 22,
      totalTokens: 742_678,
      reasoningTokens: 0,
      contextTokens: 156_000,
      contextWindow: 200_000,
      costUsd: 4.123,
      basis: 'turn',
    };
    assert.equal(
      usageDetails(usage),
      'Input tokens: 742,656 · Read from cache: 0 (0 %) · Written to cache: 742,653 · Output tokens: 22 · ' +
        'Reasoning tokens: 0 · Context: 156,000 of 200,000 (78 %) · Cost: $4.12',
    );
    assert.equal(
      usageDetails({ totalTokens: 1234, contextTokens: 900, basis: 'cumulative' }),
      'Total tokens: 1,234 · Context: 900 · Counted: session so far',
    );
    assert.equal(usageDetails({ basis: 'turn' }), '');
  });

  it('says how full the context is if its size is known', () => {
    const context = (more: Partial<Usage>): string | undefined => contextText(contextIn({ basis: 'turn', ...more }));
    assert.equal(context({ contextTokens: 156_999, contextWindow: 200_000 }), 'ctx 78 %');
    assert.equal(context({ contextTokens: 156_999 }), undefined);
    assert.equal(context({ contextWindow: 200_000 }), undefined);
    assert.equal(context({ contextTokens: 1, contextWindow: 0 }), undefined);
  });
});
