import assert from 'node:assert/strict';
import { SpanNumbers } from '../../../../src/otlp/engine/spanNumbers';

describe('numbers of spans', () => {
  const cases = {
    '': '',
    '1 2 3': '1-3',
    '3 1 2': '1-3',
    '5 1 3': '1,3,5',
    '5 1 3 2-4': '1-5',
    '10-20 1-30': '1-30',
    '10-20 15-25 26': '10-26',
    '2 2 2': '2',
    '1-0': '',
  };
  for (const [added, text] of Object.entries(cases)) {
    const adds = added.split(' ').flatMap((one) => (one === '' ? [] : [one.split('-').map(Number)]));
    it(`${added || 'none'} are ${text || 'none'}`, () => {
      const numbers = new SpanNumbers();
      for (const [first = 0, last] of adds) numbers.add(first, last);
      assert.equal(numbers.toString(), text);
      assert.equal(SpanNumbers.from(text).toString(), text);
      const all = new Set(adds.flatMap(([first = 0, last = first]) => range(first, last)));
      for (const number of range(0, 32)) assert.equal(numbers.has(number), all.has(number), String(number));
    });
  }
});

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
