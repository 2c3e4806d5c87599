import assert from 'node:assert/strict';
import { RowCache } from '../../../src/explorerPage/list/rowCache';
import type { Row } from '../../../src/explorer/page/messages';

function rows(from: number, count: number): Row[] {
  const texts = { session: '', tag: '', logger: '', message: '' };
  return Array.from({ length: count }, (_, n) => {
    return { seq: from + n + 1, at: 0, level: 1, kind: 'log', ...texts, isSettled: false };
  });
}

describe('row cache', () => {
  let cache: RowCache<Row>;
  beforeEach(() => (cache = new RowCache()));

  it('asks once for the pages around what is in view', () => {
    const pages = [50, 100].map((from) => ({ from, count: 50 }));
    assert.deepEqual(cache.wanted(75, 50, 1000), pages);
    assert.deepEqual(cache.wanted(75, 50, 1000), []);
    cache.put(50, rows(50, 50));
    assert.equal(cache.get(75)?.seq, 76);
    assert.equal(cache.get(125), undefined);
  });

  it('takes several pages at once', () => {
    cache.put(100, rows(100, 70));
    assert.deepEqual([cache.get(100)?.seq, cache.get(169)?.seq, cache.get(170)], [101, 170, undefined]);
    assert.deepEqual(cache.wanted(100, 70, 170), []);
  });

  it('asks again for a page that has grown', () => {
    cache.wanted(0, 10, 30);
    cache.put(0, rows(0, 30));
    assert.deepEqual(cache.wanted(0, 30, 30), []);
    assert.deepEqual(cache.wanted(0, 40, 40), [{ from: 0, count: 40 }]);
  });

  it('shows rows that may have moved until the new ones come', () => {
    cache.wanted(0, 10, 50);
    cache.put(0, rows(0, 50));
    cache.invalidate();
    assert.equal(cache.get(5)?.seq, 6);
    assert.deepEqual(cache.wanted(0, 10, 50), [{ from: 0, count: 50 }]);
  });

  it('keeps a bounded number of pages, the newest', () => {
    for (let page = 0; page < 100; page++) cache.put(page * 50, rows(page * 50, 50));
    assert.equal(cache.get(0), undefined);
    assert.equal(cache.get(4900)?.seq, 4901);
  });
});
