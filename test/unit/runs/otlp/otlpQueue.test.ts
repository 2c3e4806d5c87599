import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OtlpQueue } from '../../../../src/runs/otlp/otlpQueue';

describe('OTLP queue', () => {
  it('keeps the newest that fit, in order, and counts every one that it drops', () => {
    const step = fc.oneof(
      fc.record({ push: fc.integer({ min: 0, max: 60 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 4 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new OtlpQueue<number>(5, 100);
        const model: { id: number; bytes: number }[] = [];
        let id = 0;
        for (const each of steps) {
          if ('take' in each) {
            const taken = queue.take(each.take, 80);
            assert.deepEqual(
              taken,
              model.splice(0, taken.length).map((item) => item.id),
            );
            assert.ok(taken.length > 0 || model.length === 0);
            continue;
          }
          const dropped = queue.push(++id, each.push);
          model.splice(0, dropped);
          model.push({ id, bytes: each.push });
          const bytes = model.reduce((sum, item) => sum + item.bytes, 0);
          assert.equal(queue.bytes, bytes);
          assert.ok(queue.length <= 5 && (bytes <= 100 || queue.length === 1));
        }
        assert.equal(queue.length, model.length);
      }),
    );
  });

  it('takes no more bytes than asked for, but always one', () => {
    const queue = new OtlpQueue<string>(10, 1000);
    for (const name of ['a', 'b', 'c']) queue.push(name, 60);
    assert.deepEqual(queue.take(10, 120), ['a', 'b']);
    assert.deepEqual(queue.take(10, 1), ['c']);
    assert.deepEqual(queue.take(10, 1), []);
  });
});
