import assert from 'node:assert/strict';
import type { Span } from '../../../src/timeline/span';
import { computedTotal } from '../../../src/timeline/totalUsage';
import type { Usage } from '../../../src/work/activity';

const prices = { big: { input: 10, output: 0 }, small: { input: 1, output: 0 } };

function turn(model: string | undefined, usage: Partial<Usage> = {}): Span {
  const counted = { inputTokens: 1_000_000, outputTokens: 0, basis: 'turn', ...usage };
  return { kind: 'turn', sessionId: 's', model, usage: counted } as unknown as Span;
}

describe('the computed cost of turns', () => {
  const rows: Readonly<Record<string, readonly [turns: readonly Span[], cost?: { usd: number; isWhole: boolean }]>> = {
    'has the price of each one’s model': [[turn('big'), turn('small')], { usd: 11, isWhole: true }],
    'has the last model for those that don’t know theirs': [[turn('big'), turn(undefined)], { usd: 11, isWhole: true }],
    'lacks turns without a price': [[turn('big'), turn('other')], { usd: 10, isWhole: false }],
    'lacks turns with a reported cost': [[turn('big', { costUsd: 3 }), turn('small')], { usd: 1, isWhole: false }],
    'has the last sum of a session': [
      [turn('big', { basis: 'cumulative' }), turn('small', { basis: 'cumulative' })],
      { usd: 1, isWhole: true },
    ],
    'is absent if no turn has a price': [[turn('other')]],
  };
  for (const [title, [turns, cost]] of Object.entries(rows)) {
    it(title, () => assert.deepEqual(computedTotal(turns, 'small', prices), cost));
  }
});
