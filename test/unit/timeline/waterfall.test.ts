import assert from 'node:assert/strict';
import { madeSpan as span } from '../../support/madeSpan';
import { waterfall } from '../../../src/timeline/waterfall';

describe('waterfall', () => {
  it('has a summary of each turn, and its parts with bars, durations and outcomes', () => {
    const failed = { outcome: 'error', detail: 'exit 1' } as const;
    const spans = [
      span('Fix the tests.', 'turn', 0, 32_000),
      span('npm test', 'tool', 8000, 16_000, { parent: 'Fix the tests.', toolName: 'Bash', ...failed }),
      span('Allow npm?', 'permission', 8000, 10_000, { parent: 'npm test' }),
      span('npm run fix', 'tool', 24_000, undefined, { parent: 'Fix the tests.' }),
    ];
    assert.deepEqual(waterfall(spans, 28_000).split('\n'), [
      'ok · 32 s: model 20 s, tools 10 s, waited for you 2.0 s · 2 tool calls, 1 failed · Fix the tests.',
      '|        ████████                |        8.0 s  ✗ Bash: npm test · failed (exit 1)',
      '|        ██                      |        2.0 s    ✓ permission: Allow npm?',
      '|                        ████    |        4.0 s  … npm run fix · running',
    ]);
  });

  it('says what turns used, how full the context is, and why a cost jumps', () => {
    const tokens = { inputTokens: 100_000, cachedTokens: 98_000, outputTokens: 500, costUsd: 0.06 };
    const usage = { ...tokens, contextTokens: 101_000, contextWindow: 200_000, basis: 'turn' } as const;
    const spans = [
      span('first', 'turn', 0, 1000, { usage }),
      span('second', 'turn', 1_000_000, 1_001_000, { usage: { ...usage, cachedTokens: 0, costUsd: 0.45 } }),
    ];
    assert.deepEqual(waterfall(spans, 0).split('\n'), [
      'ok · 1.0 s: model 1.0 s · 100.0k in (98 % cached), 500 out, $0.06 · ctx 50 % · first',
      '',
      'ok · 1.0 s: model 1.0 s · 100.0k in (0 % cached), 500 out, $0.45 · ctx 50 % · second',
      'Cost 7.5 × that of earlier turns: cache lost after a pause of 17 min',
    ]);
  });

  it('shows tool calls outside of turns on an axis of their own', () => {
    const spans = [span('search', 'tool', 1000, 2000), span('fetch', 'tool', 2000, 3000)];
    assert.deepEqual(waterfall(spans, 0).split('\n'), [
      `|${'█'.repeat(16)}${' '.repeat(16)}|        1.0 s  ✓ search`,
      `|${' '.repeat(16)}${'█'.repeat(16)}|        1.0 s  ✓ fetch`,
    ]);
    assert.equal(waterfall([], 0), '');
  });

  it('is bounded, keeps the newest, and says what is left out', () => {
    const turns = Array.from({ length: 300 }, (_, i) => [
      span(`turn ${i}`, 'turn', i * 100, i * 100 + 90, { title: `${i} ${'long '.repeat(100)}` }),
      ...Array.from({ length: 60 }, (_, j) =>
        span(`${i}.${j}`, 'tool', i * 100 + j, i * 100 + j, { parent: `turn ${i}` }),
      ),
    ]).flat();
    const text = waterfall(turns, 0);
    assert.ok(text.length < 16_000, String(text.length));
    assert.match(text, /^\(298 earlier turns are left out\)\n\nok · /);
    assert.match(text, /\n\(20 earlier parts are left out\)\n/);
    assert.match(text, /✓ 299\.59$/);
  });
});
