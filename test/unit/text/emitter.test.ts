import assert from 'node:assert/strict';
import { Emitter } from '../../../src/text/emitter';

describe('emitter', () => {
  it('tells its listeners in order, each until it is disposed of', () => {
    const emitter = new Emitter<number>();
    const told: string[] = [];
    const listener = (n: number): void => void told.push(`a${n}`);
    const first = emitter.event(listener);
    emitter.event(listener); // twice, and each for itself
    emitter.event((n) => told.push(`b${n}`));
    emitter.fire(1);
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(told, ['a1', 'a1', 'b1', 'a2', 'b2']);
  });

  it('calls the listeners of the moment, even if some come and go meanwhile', () => {
    const emitter = new Emitter<number>();
    const told: string[] = [];
    const leaving = emitter.event((n) => {
      told.push(`leaving ${n}`);
      leaving.dispose();
      emitter.event((later) => told.push(`coming ${later}`));
    });
    emitter.event((n) => told.push(`staying ${n}`));
    emitter.fire(1);
    emitter.fire(2);
    assert.deepEqual(told, ['leaving 1', 'staying 1', 'staying 2', 'coming 2']);
  });

  it('goes on after a listener that throws', () => {
    const emitter = new Emitter<number>();
    const told: number[] = [];
    const { error } = console;
    const problems: unknown[] = [];
    console.error = (problem: unknown) => problems.push(problem);
    try {
      emitter.event(() => {
        throw new Error('broken');
      });
      emitter.event((n) => told.push(n));
      emitter.fire(7);
    } finally {
      console.error = error;
    }
    assert.deepEqual(told, [7]);
    assert.match(String(problems[0]), /broken/);
  });
});
