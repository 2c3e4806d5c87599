import assert from 'node:assert/strict';
import { Slices } from '../../../src/time/slices';

describe('slices', () => {
  it('sort like toSorted, and keep the order of equal values', async () => {
    const byAge = (a: { readonly age: number }, b: { readonly age: number }): number => a.age - b.age;
    for (const length of [0, 1, 255, 256, 257, 512, 513, 1000, 5000]) {
      const values = Array.from({ length }, (_, at) => ({ at, age: (at * 7919) % 101 }));
      assert.deepEqual(await new Slices().sorted(values, byAge), values.toSorted(byAge), String(length));
    }
  });

  it('map and filter like flatMap', async () => {
    const values = Array.from({ length: 1000 }, (_, at) => at);
    const odd = (at: number): number | readonly number[] => (at % 2 === 1 ? at : []);
    assert.deepEqual(await new Slices().flatMap(values, odd), values.flatMap(odd));
  });

  it('cut a list into short parts, from either end', async () => {
    const values = Array.from({ length: 40 }, (_, at) => at);
    const ends = async (isFromEnd: boolean): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const part of new Slices().parts(values, isFromEnd)) found.push(`${part[0]}–${part.at(-1)}`);
      return found;
    };
    assert.deepEqual(await ends(false), ['0–15', '16–31', '32–39']);
    assert.deepEqual(await ends(true), ['32–39', '16–31', '0–15']);
  });

  it('let other work run while a long list is sorted', async () => {
    const values = Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 199_999);
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await new Slices().sorted(values, (a, b) => a - b);
    isDone = true;
    assert.ok(turns > 2, `${turns} turns`);
  });
});
