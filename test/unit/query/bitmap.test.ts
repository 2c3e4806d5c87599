import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Bitmap } from '../../../src/query/bitmap';

const numbers = fc.uniqueArray(
  fc.oneof(fc.nat(200), fc.nat(200_000), fc.constantFrom(31, 32, 32_767, 32_768, 65_535, 65_536)),
  { maxLength: 60 },
);

describe('a bitmap', () => {
  it('ranks, selects and steps like a sorted array', () => {
    fc.assert(
      fc.property(numbers, fc.nat(200_100), (some, probe) => {
        const sorted = [...some].sort((a, b) => a - b);
        const bitmap = bitmapOf(some);
        assert.equal(bitmap.count, sorted.length);
        assert.deepEqual(bitmap.slice(0, Infinity), sorted);
        for (const [rank, number] of sorted.entries()) {
          assert.equal(bitmap.rank(number), rank);
          assert.equal(bitmap.select(bitmap.rank(number)), number);
          assert.ok(bitmap.has(number));
        }
        assert.equal(bitmap.rank(probe), sorted.filter((number) => number < probe).length);
        const [next, previous] = [sorted.find((one) => one >= probe), sorted.findLast((one) => one <= probe)];
        assert.deepEqual([bitmap.next(probe), bitmap.previous(probe)], [next, previous]);
        assert.equal(bitmap.has(probe), sorted.includes(probe));
        assert.equal(bitmap.select(sorted.length), undefined);
        assert.equal(bitmap.select(-1), undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('adds ranges', () => {
    fc.assert(
      fc.property(fc.nat(70_000), fc.nat(70_000), numbers, (first, length, some) => {
        const bitmap = bitmapOf(some);
        bitmap.addRange(first, first + length);
        const others = some.filter((number) => number < first || number > first + length).length;
        assert.equal(bitmap.count, length + 1 + others);
        assert.ok(bitmap.has(first) && bitmap.has(first + length));
      }),
    );
  });

  it('combines alternatives, all and none', () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, numbers, (within, a, b, c) => {
        const [one, two, three] = [bitmapOf(a), bitmapOf(b), bitmapOf(c)];
        const result = Bitmap.combined(bitmapOf(within), [
          { bitmaps: [one, two], negated: false },
          { bitmaps: [three], negated: true },
        ]);
        const expected = within.filter((n) => (a.includes(n) || b.includes(n)) && !c.includes(n)).sort((x, y) => x - y);
        assert.deepEqual(result.slice(0, Infinity), expected);
      }),
    );
  });

  it('takes memory only for chunks that have something', () => {
    const bitmap = bitmapOf([1, 100_000_000]);
    assert.ok(bitmap.bytes < 50_000, String(bitmap.bytes));
    bitmap.forgetBelow(50_000_000);
    assert.deepEqual(bitmap.slice(0, 10), [100_000_000]);
  });
});

function bitmapOf(some: readonly number[]): Bitmap {
  const bitmap = new Bitmap();
  for (const number of some) bitmap.add(number);
  return bitmap;
}
