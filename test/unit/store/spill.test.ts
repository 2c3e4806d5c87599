import assert from 'node:assert/strict';
import { everything, wantedBetween } from '../../../src/query/compiledQuery';
import { SpilledPage } from '../../../src/store/spilledPage';
import { RecordStore } from '../../../src/store/store';
import { MemoryPageFile } from '../../support/memoryPageFile';
import { draftOf } from '../../support/queriedLog';

const maxBytes = 400_000;

/** Counts what is read of it. */
class CountedFile extends MemoryPageFile {
  reads = 0;
  bytesRead = 0;
  override readNow(...given: Parameters<MemoryPageFile['readNow']>): Buffer | undefined {
    this.reads++;
    this.bytesRead += given[1];
    return super.readNow(...given);
  }
}

describe('a record store with a file', () => {
  it('keeps every record readable and searchable, within its memory', async () => {
    const { store, plain } = await filled(new MemoryPageFile(), 5000);
    assert.equal(store.dropped, 0);
    assert.ok(store.bytes <= maxBytes, String(store.bytes));
    assert.deepEqual(store.query().map(copy), plain.query().map(copy));
    const needles = [store, plain].map((one) => one.query({ text: 'needle', minLevel: 'warning' }).map(copy));
    assert.deepEqual(needles[0], needles[1]);
    for (const seq of [1, 2, 77, 2500, 5000]) {
      assert.deepEqual(copy(store.get(seq)), copy(plain.get(seq)));
      assert.equal(store.raw(seq), plain.raw(seq));
    }
    const last = [store, plain].map((one) => one.last(10, wantedBetween(everything, 0, 900)).records.map(copy));
    assert.deepEqual(last[0], last[1]);
    assert.equal(store.last(0, wantedBetween(everything, 0, Infinity)).older, 5000);
  });

  it('reads a page of the file once for all its records, also if those of many sessions alternate', async () => {
    const file = new CountedFile();
    const store = new RecordStore(maxBytes, () => file);
    for (let n = 0; n < 6000; n++) {
      store.append({ ...draftOf(n), sessionId: `session ${n % 20}` });
      store.makeRoom();
      if (n % 50 === 0) await turns(2);
    }
    const pages = store.pages.filter(({ page }) => page instanceof SpilledPage).length;
    assert.ok(store.query({ limit: 5000 }).length > 3000);
    assert.ok(pages > 20 && file.reads <= pages, `${file.reads} reads of ${pages} pages`);
  });

  it('reads no more of the file than it may, and the newest first', async () => {
    const budget = 100_000;
    for (const query of [{}, { text: 'needle' }, { text: 'not there' }, { minLevel: 'warning' }] as const) {
      const file = new CountedFile();
      const { store, plain } = await filled(file, 10_000);
      const onFile = store.pages.reduce((sum, { page }) => sum + page.fileBytes, 0);
      assert.ok(onFile > 4 * budget, String(onFile));
      const found = store.query(query, budget);
      const all = plain.query(query);
      assert.ok(file.bytesRead <= 2 * budget, `${file.bytesRead} bytes`);
      assert.ok(found.length < all.length || all.length === 0, `${found.length} of ${all.length}`);
      assert.ok(found.length > 0 || all.length === 0);
      assert.deepEqual(found.map(copy), all.slice(-found.length || all.length).map(copy));
    }
  });

  it('drops and counts records when the file takes no more', async () => {
    const file = new MemoryPageFile();
    file.failsToWrite = true;
    const { store } = await filled(file, 5000);
    assert.ok(store.dropped > 1000);
    assert.equal(store.held, store.query().length);
    assert.ok(store.bytes <= maxBytes);
  });

  it('drops and counts records that can no longer be read', async () => {
    const file = new MemoryPageFile();
    const { store } = await filled(file, 5000);
    file.failsToRead = true;
    const readable = store.query().length;
    assert.ok(readable < 5000);
    store.makeRoom();
    assert.equal(store.held, readable);
    assert.equal(store.dropped, 5000 - readable);
  });

  it('drops the oldest when even what is kept of them takes too much memory', async () => {
    const file = new MemoryPageFile();
    const { store } = await filled(file, 60_000);
    assert.ok(store.bytes <= maxBytes, String(store.bytes));
    assert.ok(store.dropped > 0 && store.held > 10_000, `${store.held} held`);
    assert.equal(store.query().length, store.held);
    assert.ok(store.query()[0]!.seq > 40_000, 'the oldest went');
  });

  it('frees the file when it is cleared, and deletes it when it is closed', async () => {
    const file = new MemoryPageFile();
    const { store } = await filled(file, 5000);
    assert.ok(file.size > 0);
    store.clear();
    await turns(3);
    assert.equal(file.size, 0);
    await fill(store, 3000);
    const inMemory = store.pages.length;
    store.closeFile();
    assert.ok(file.isDisposed && store.pages.length < inMemory);
    assert.equal(store.query().length, store.held);
    await fill(store, 3000);
    assert.ok(store.bytes <= maxBytes);
  });
});

async function filled(file: MemoryPageFile, count: number): Promise<{ store: RecordStore; plain: RecordStore }> {
  const store = new RecordStore(maxBytes, () => file);
  const plain = new RecordStore(1e9);
  await fill(store, count);
  for (let n = 0; n < count; n++) plain.append(draftOf(n));
  return { store, plain };
}

async function fill(store: RecordStore, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    store.append(draftOf(store.lastSeq));
    if (n % 50 !== 0) continue;
    store.makeRoom();
    await turns(1);
  }
  store.makeRoom();
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function copy(record: object | undefined): object {
  return { ...record };
}
