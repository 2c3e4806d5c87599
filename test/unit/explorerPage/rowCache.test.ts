import assert from 'node:assert/strict';
import { RowCache } from '../../../src/explorerPage/grid/rowCache';
import type { Row } from '../../../src/ui/explorer/messages';

function rows(from: number, count: number): Row[] {
  return Array.from({ length: count }, (_, n) => ({
    seq: from + n + 1,
    at: 0,
    level: 1,
    kind: 'log',
    session: '',
    logger: '',
    message: '',
  }));
}

describe('row cache', () => {
  it('asks once for the pages around what is in view', () => {
    const cache = new RowCache();
    assert.deepEqual(cache.wanted(150, 100, 1000), [
      { from: 100, count: 100 },
      { from: 200, count: 100 },
    ]);
    assert.deepEqual(cache.wanted(150, 100, 1000), []);
    cache.put(100, rows(100, 100));
    assert.equal(cache.get(150)?.seq, 151);
    assert.equal(cache.get(250), undefined);
  });

  it('asks again for a page that has grown', () => {
    const cache = new RowCache();
    cache.wanted(0, 10, 30);
    cache.put(0, rows(0, 30));
    assert.deepEqual(cache.wanted(0, 30, 30), []);
    assert.deepEqual(cache.wanted(0, 40, 40), [{ from: 0, count: 40 }]);
  });

  it('shows rows that may have moved until the new ones come', () => {
    const cache = new RowCache();
    cache.wanted(0, 10, 100);
    cache.put(0, rows(0, 100));
    cache.invalidate();
    assert.equal(cache.get(5)?.seq, 6);
    assert.deepEqual(cache.wanted(0, 10, 100), [{ from: 0, count: 100 }]);
  });

  it('keeps a bounded number of pages, the newest', () => {
    const cache = new RowCache();
    for (let page = 0; page < 100; page++) cache.put(page * 100, rows(page * 100, 100));
    assert.equal(cache.get(0), undefined);
    assert.equal(cache.get(9900)?.seq, 9901);
  });
});
