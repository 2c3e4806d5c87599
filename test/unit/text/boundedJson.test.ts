import assert from 'node:assert/strict';
import fc from 'fast-check';
import { boundedJson } from '../../../src/text/boundedJson';
import { holds } from '../../support/property';

describe('bounded JSON', () => {
  holds(
    'is JSON where it fits',
    100,
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      assert.equal(boundedJson(value, 1e6), JSON.stringify(value));
    }),
  );

  holds(
    'is never longer than it may be, and says that it was cut',
    100,
    fc.property(fc.jsonValue(), fc.nat(50), (value, max) => {
      const text = boundedJson(value, max);
      assert.ok(text.length <= max + 1);
      assert.equal(text.endsWith('…'), JSON.stringify(value).length > max);
    }),
  );

  it('takes what is deep, circular, large or no JSON at all', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    assert.match(boundedJson(circular, 1e6), /\{…\}/);
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    assert.match(boundedJson(deep, 1e6), /\[…\]/);
    assert.equal(boundedJson('x'.repeat(10_000_000), 10), '"xxxxxxxxx…');
    assert.equal(boundedJson([undefined, () => 1, NaN], 100), '[null,null,NaN]');
    assert.equal(boundedJson({ a: undefined, b: 1 }, 100), '{"b":1}');
  });
});
