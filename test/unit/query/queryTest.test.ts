import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globTest } from '../../../src/query/queryTest';
import { holds } from '../../support/property';
import { millisecondsFor } from '../../support/doubling';

describe('globs of filters', () => {
  const cases: readonly (readonly [pattern: string, name: string, isMatch: boolean])[] = [
    ['http', 'HTTP', true],
    ['http', 'http.client', false],
    ['http.*', 'http.client', true],
    ['*.client', 'http.client', true],
    ['h*p*t', 'http.client', true],
    ['*', '', true],
    ['', '', true],
    ['', 'x', false],
    ['ab*ba', 'aba', false],
    ['a*b*c', 'acb', false],
    ['a?', 'a?', true],
    ['a?', 'ab', false],
  ];
  for (const [pattern, name, isMatch] of cases) {
    it(`${isMatch ? 'matches' : 'rejects'} "${name}" with "${pattern}"`, () => {
      assert.equal(globTest(pattern)(name), isMatch);
    });
  }

  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '*', '.'), maxLength: 8 });
  holds(
    'matches like a regular expression',
    2000,
    fc.property(letters, letters, (pattern, name) => {
      const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*');
      assert.equal(globTest(pattern)(name), new RegExp(`^${source}$`, 'is').test(name));
    }),
  );

  it('takes no longer than a pass over the name for each part', () => {
    const name = 'a'.repeat(100_000);
    assert.ok(millisecondsFor(() => assert.equal(globTest('*a*a*a*a*b')(name), false), name) < 500);
  });
});
