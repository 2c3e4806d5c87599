import assert from 'node:assert/strict';
import { wantedCodes } from '../../../src/query/compiledQuery';
import type { LogRecord } from '../../../src/text/record';
import { RecordStore } from '../../../src/store/store';
import { RecordPages } from '../../../src/store/recordPages';

describe('the records of a run, some at a time', () => {
  const store = new RecordStore(1e9);
  for (let n = 1; n <= 5000; n++) {
    store.append({
      receivedAt: n,
      level: n % 1000 === 0 ? 'error' : 'info',
      kind: 'log',
      message: `m${n}`,
      ...(n % 3 > 0 && { sessionId: `session ${n % 3}` }),
    });
  }
  const seqs = (records: readonly LogRecord[]): number[] => records.map(({ seq }) => seq);

  it('are all records of all sessions in order, from either end', async () => {
    const all = seqs(store.query());
    const pages = new RecordPages(store);
    const oldest: number[] = [];
    for await (const records of pages.oldestFirst()) {
      assert.ok(records.length <= 1000);
      oldest.push(...seqs(records));
    }
    assert.deepEqual(oldest, all);
    const newest: number[] = [];
    for await (const records of pages.newestFirst()) newest.unshift(...seqs(records));
    assert.deepEqual(newest, all);
  });

  it('are only the wanted ones, up to a limit', async () => {
    const codes = wantedCodes(({ level }) => level === 'error');
    assert.deepEqual(seqs(await new RecordPages(store, { codes }).newest(2)), [4000, 5000]);
    assert.equal(store.count(codes), 5);
    const isWanted = (seq: number, sessionId?: string): boolean => seq < 8 && sessionId === 'session 1';
    assert.deepEqual(seqs(await new RecordPages(store, { isWanted }).newest(10)), [1, 4, 7]);
  });

  it('come in small parts, so that other work can run in between', async () => {
    const parts: number[] = [];
    const pages = new RecordPages(store);
    for await (const records of pages.oldestFirst()) parts.push(records.length);
    for await (const records of pages.newestFirst()) parts.push(records.length);
    assert.ok(Math.max(...parts) <= 16, `${Math.max(...parts)} at once`);
  });

  it('of a limited query become objects only if they are among the newest', () => {
    assert.deepEqual(seqs(store.query({ limit: 3 })), [4998, 4999, 5000]);
    assert.deepEqual(seqs(store.query({ limit: 2, minLevel: 'error' })), [4000, 5000]);
    assert.deepEqual(seqs(store.query({ text: 'm12', sessionId: null, limit: 1 })), [1299]);
  });
});
