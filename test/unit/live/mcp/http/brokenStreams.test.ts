import assert from 'node:assert/strict';
import { BrokenStreams } from '../../../../../src/live/mcp/http/brokenStreams';

describe('broken streams', () => {
  it('are resumed in order, even after the same event', () => {
    const broken = new BrokenStreams(() => true);
    broken.add('e', 1);
    broken.add('e', '2');
    broken.add('f', 3);
    assert.deepEqual([broken.take('e'), broken.take('e'), broken.take('e')], [1, '2', undefined]);
    assert.equal(broken.take('f'), 3);
  });

  it('are forgotten if no request is waiting', () => {
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
