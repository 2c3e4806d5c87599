import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineCounts, linesOf } from '../../../../src/work/changes/lineCounts';
import { holds } from '../../../support/property';

describe('counts of changed lines', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));

  holds(
    'are those of a longest common subsequence',
    500,
    fc.property(text, text, (before, after) => {
      const [a, b] = [linesOf(before), linesOf(after)];
      const common = longestCommon(a, b);
      assert.deepEqual(lineCounts(before, after), { added: b.length - common, removed: a.length - common });
    }),
  );

  it('of long texts that share nothing are whole numbers, and quick', () => {
    const lines = (name: string): string => Array.from({ length: 5000 }, (_, n) => `${name}${n}`).join('\n');
    assert.deepEqual(lineCounts(lines('a'), lines('b')), { added: 5000, removed: 5000 });
    assert.deepEqual(lineCounts(`${lines('a')}\n${lines('b')}`, lines('a')), { added: 0, removed: 5000 });
  });

  it('ignore line ends', () => {
    assert.deepEqual(lineCounts('a\r\nb\r\n', 'a\nb'), { added: 0, removed: 0 });
    assert.deepEqual(lineCounts('', 'a'), { added: 1, removed: 0 });
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [n, other] of b.entries()) {
      next.push(line === other ? (row[n] ?? 0) + 1 : Math.max(row[n + 1] ?? 0, next[n] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
