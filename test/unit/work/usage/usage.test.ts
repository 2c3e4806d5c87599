import assert from 'node:assert/strict';
import { convention as anthropic } from '../../../../src/agents/claude/usage';
import { convention as google } from '../../../../src/agents/gemini/usage';
import { convention as opencode } from '../../../../src/agents/opencode/usage';
import {
  addUsage,
  cacheHitRatio,
  contextAfter,
  usageOf,
  usageWithContext,
  withContext,
} from '../../../../src/work/usage/usage';

describe('usage', () => {
  const counts = { inputTokens: 1200, outputTokens: 60, totalTokens: 1260 };
  for (const [what, fields, convention, expected] of [
    [
      'counts what Claude read from and wrote to the cache as input',
      { input_tokens: 3, output_tokens: 22, cache_creation_input_tokens: 742_653, cache_read_input_tokens: 0 },
      anthropic,
      { inputTokens: 742_656, outputTokens: 22, cachedTokens: 0, cacheWriteTokens: 742_653 },
    ],
    [
      "doesn't add to Codex' counts, which include everything",
      { input_tokens: 21_010, cached_input_tokens: 18_000, output_tokens: 240, reasoning_output_tokens: 96 },
      undefined,
      { inputTokens: 21_010, cachedTokens: 18_000, outputTokens: 240, reasoningTokens: 96 },
    ],
    [
      "adds Gemini's thoughts to the output and the results of its own tools to the input",
      { input: 1200, output: 60, cached: 300, thoughts: 40, tool: 5, total: 1305 },
      google,
      { inputTokens: 1205, outputTokens: 100, totalTokens: 1305, cachedTokens: 300, reasoningTokens: 40 },
    ],
    [
      'counts as output what only the total of Gemini includes',
      { total_tokens: 1300, input_tokens: 1200, output_tokens: 60, cached: 300, input: 900 },
      google,
      { inputTokens: 1200, outputTokens: 100, totalTokens: 1300, cachedTokens: 300 },
    ],
    [
      "adds OpenCode's cache and reasoning",
      { total: 1260, input: 900, output: 52, reasoning: 8, cache: { read: 300, write: 0 } },
      opencode,
      { ...counts, cachedTokens: 300, cacheWriteTokens: 0, reasoningTokens: 8 },
    ],
    [
      'lets the total decide what the counts include',
      { input_tokens: 1200, output_tokens: 60, cache_read_input_tokens: 300, total_tokens: 1260 },
      anthropic,
      { ...counts, cachedTokens: 300 },
    ],
    [
      'adds the cache if it is more than the input',
      { inputTokens: 310, outputTokens: 142, cachedReadTokens: 15_800, cachedWriteTokens: 420 },
      undefined,
      { inputTokens: 16_530, outputTokens: 142, cachedTokens: 15_800, cacheWriteTokens: 420 },
    ],
    ['leaves out what is unknown', { outputTokens: 30 }, opencode, { outputTokens: 30 }],
  ] as const) {
    it(what, () =>
      assert.deepEqual(usageOf(fields, 'turn', convention && { convention }), { ...expected, basis: 'turn' }),
    );
  }

  it('has the cost that is reported, and no negative counts', () => {
    const counted = { inputTokens: 3, costUsd: 4.12, basis: 'turn' };
    assert.deepEqual(usageOf({ input_tokens: 3 }, 'turn', { cost: 4.12 }), counted);
    assert.equal(usageOf({ input_tokens: -1, output_tokens: null }, 'turn'), undefined);
  });

  it('adds up the steps of a turn, but not their contexts', () => {
    const first = withContext({ inputTokens: 100, outputTokens: 10, cachedTokens: 50, basis: 'turn' });
    const second = withContext({ inputTokens: 120, outputTokens: 20, basis: 'turn' });
    const both = { inputTokens: 220, outputTokens: 30, cachedTokens: 50, contextTokens: 140, basis: 'turn' };
    assert.deepEqual(addUsage(first, second), both);
  });

  it('has a ratio of cache hits', () => {
    assert.equal(cacheHitRatio({ inputTokens: 1200, cachedTokens: 300, basis: 'turn' }), 0.25);
    assert.equal(cacheHitRatio({ inputTokens: 1200, basis: 'turn' }), undefined);
    assert.equal(cacheHitRatio({ inputTokens: 0, cachedTokens: 0, basis: 'turn' }), undefined);
  });

  it('has no context for a request without tokens', () => {
    assert.equal(withContext({ inputTokens: 0, outputTokens: 0, basis: 'turn' }).contextTokens, undefined);
    assert.equal(withContext({ outputTokens: 5, basis: 'turn' }).contextTokens, undefined);
  });

  it('keeps the window when the context is emptied', () => {
    const full = contextAfter(undefined, { contextTokens: 190_000, contextWindow: 200_000 });
    assert.deepEqual(full, { tokens: 190_000, window: 200_000 });
    const emptied = contextAfter(full, { contextTokens: 0 });
    assert.deepEqual(emptied, { tokens: undefined, window: 200_000 });
    const usage = usageWithContext({ contextTokens: 190_000, basis: 'turn' }, emptied);
    assert.deepEqual(usage, { contextWindow: 200_000, basis: 'turn' });
  });
});
