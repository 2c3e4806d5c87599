import assert from 'node:assert/strict';
import { BrokenStreams } from '../../../../src/runs/process/brokenStreams';

describe('streams that broke off', () => {
  it('are taken up again in their order, also after one event', () => {
    const broken = new BrokenStreams(() => true);
    broken.add('e', 1);
    broken.add('e', '2');
    broken.add('f', 3);
    assert.deepEqual([broken.take('e'), broken.take('e'), broken.take('e')], [1, '2', undefined]);
    assert.equal(broken.take('f'), 3);
  });

  it('are forgotten where nobody waits for the answer any more', () => {
    const awaited = new Set([1, 2, 3]);
    const broken = new BrokenStreams((request) => awaited.has(Number(request)));
    for (const request of [1, 2, 3]) broken.add('e', request);
    awaited.delete(1);
    assert.equal(broken.take('e'), 2);
    awaited.delete(3);
    broken.add('f', 4);
    assert.equal(broken.take('e'), undefined);
  });
});
