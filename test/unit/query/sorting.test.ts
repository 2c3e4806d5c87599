import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placesByWeight, ranksOf, sortDirections, sortedBy } from '../../../src/query/sorting';
import { holds } from '../../support/property';

describe('sorting', () => {
  holds(
    'orders places by weight, those without one last, and keeps the order of equal ones',
    200,
    fc.property(
      fc.array(fc.integer({ min: -1, max: 2 ** 33 })),
      fc.constantFrom(...sortDirections),
      (weights, direction) => {
        const sign = direction === 'ascending' ? 1 : -1;
        const naive = [...weights.keys()].sort((a, b) => {
          const [one = 0, other = 0] = [weights[a], weights[b]];
          if (one < 0 || other < 0) {
            return other - one < 0 ? -1 : other === one ? a - b : one < 0 && other >= 0 ? 1 : -1;
          }
          return sign * (one - other) || a - b;
        });
        assert.deepEqual([...placesByWeight(weights, direction)], naive.map(Number));
      },
    ),
  );

  it('sorts a million rows by numbers as large as sizes', () => {
    const weights = Array.from({ length: 1_000_000 }, (_, n) => (n * 7919) % 8_589_934_000);
    const places = placesByWeight(weights, 'descending');
    assert.equal(places.length, weights.length);
    assert.equal(new Set(places).size, weights.length);
    for (let n = 1; n < 1000; n++) assert.ok(weights[places[n - 1]!]! >= weights[places[n]!]!);
  });

  it('ranks names, the empty one none', () => {
    assert.deepEqual(ranksOf(['', 'b', 'a', 'b']), [-1, 1, 0, 1]);
  });

  it('turns the direction with the second click on a column', () => {
    const once = sortedBy('took', 'descending', { by: 'time', direction: 'ascending' });
    assert.deepEqual(once, { by: 'took', direction: 'descending' });
    assert.deepEqual(sortedBy('took', 'descending', once), { by: 'took', direction: 'ascending' });
    assert.deepEqual(sortedBy('took', 'descending', { by: 'took', direction: 'ascending' }), once);
  });
});
