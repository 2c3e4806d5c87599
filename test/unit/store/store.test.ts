import assert from 'node:assert/strict';
import { levels } from '../../../src/text/level';
import type { RecordDraft } from '../../../src/text/record';
import { kinds } from '../../../src/text/record';
import { compiled } from '../../../src/query/compiledQuery';
import { RecordStore } from '../../../src/store/store';
import { column } from '../../support/columns';

function draft(fields: Partial<RecordDraft> = {}): RecordDraft {
  return { receivedAt: 1, level: 'info', kind: 'log', message: 'hello', ...fields };
}

/** As a run's log does it. */
function keep(store: RecordStore, one: RecordDraft): void {
  store.append(one);
  store.makeRoom();
}

const any = compiled({});

describe('record store', () => {
  it('numbers records in order of arrival, over all sessions', () => {
    const store = new RecordStore(1e6);
    for (const sessionId of ['a', undefined, 'b', 'a']) {
      store.append(draft(sessionId === undefined ? {} : { sessionId }));
    }
    const told = store.query().map(({ seq, sessionId }) => `${seq} ${sessionId ?? '-'}`);
    assert.deepEqual(told, ['1 a', '2 -', '3 b', '4 a']);
  });

  it('keeps the raw line beside the record, not in it', () => {
    const store = new RecordStore(1e6);
    const seq = store.append(draft({ raw: '{"method":"log"}' }));
    assert.deepEqual(store.get(seq), { seq, receivedAt: 1, level: 'info', kind: 'log', message: 'hello' });
    assert.equal(store.raw(seq), '{"method":"log"}');
    assert.equal(store.raw(99), undefined);
  });

  it('reads data from its line if it is there, and keeps other data', () => {
    const store = new RecordStore(1e6);
    const raw = '{"params":{"data":{"größe":[1,"x"]}}}';
    const data = { größe: [1, 'x'] };
    const inLine = store.append(draft({ data, raw, dataAt: ['params', 'data'] }));
    const beside = store.append(draft({ data: 7, raw }));
    const record = store.get(inLine);
    assert.deepEqual(record, { seq: inLine, receivedAt: 1, level: 'info', kind: 'log', message: 'hello', data });
    assert.deepEqual(JSON.parse(JSON.stringify({ ...record })), record);
    assert.equal(store.get(beside)?.data, 7);
  });

  it('gives back every field of every record, however many and however long their lines', () => {
    const store = new RecordStore(1e9);
    const drafts = Array.from({ length: 5000 }, (_, n): RecordDraft => ({
      receivedAt: n,
      ...(n % 2 === 0 && { time: n / 2, logger: `logger ${n % 7}` }),
      level: levels[n % levels.length] ?? 'info',
      kind: kinds[n % kinds.length] ?? 'log',
      sessionId: `s${n % 3}`,
      message: `message ${n} – größer`,
      ...(n % 5 !== 0 && { raw: n % 1000 === 1 ? 'ü'.repeat(300_000) : `line ${n} – ü` }),
    }));
    const seqs = drafts.map((one) => store.append(one));
    assert.deepEqual(
      store.query(),
      drafts.map(({ raw: _raw, ...fields }, index) => ({ seq: seqs[index], ...fields })),
    );
    for (const seq of seqs) assert.equal(store.raw(seq), drafts[seq - 1]?.raw);
  });

  it('goes on as before when its memory was used again', () => {
    const store = new RecordStore(2_000_000);
    const raw = 'x'.repeat(250);
    for (let n = 0; n < 50_000; n++) keep(store, draft({ message: String(n), raw: `${n} ${raw}` }));
    const kept = store.query();
    assert.ok(kept.length > 3000 && store.bytes <= 2_000_000);
    assert.equal(kept.at(-1)?.message, '49999');
    for (const { seq, message } of kept) {
      assert.equal(message, String(seq - 1));
      assert.equal(store.raw(seq), `${seq - 1} ${raw}`);
    }
  });

  it('finds by session, level, kind, text and time, and the newest of them', () => {
    const store = new RecordStore(1e6);
    store.append(draft({ message: 'first', receivedAt: 1 }));
    store.append(draft({ message: 'Second', level: 'error', sessionId: 'a', receivedAt: 2, logger: 'Tools' }));
    store.append(draft({ message: 'third', kind: 'stderr', receivedAt: 3 }));
    for (const [query, messages] of [
      [{ sessionId: null }, 'first third'],
      [{ sessionId: 'a' }, 'Second'],
      [{ minLevel: 'warning' }, 'Second'],
      [{ minLevel: 'off' }, ''],
      [{ kinds: ['stderr'] }, 'third'],
      [{ text: 'SEC' }, 'Second'],
      [{ text: 'tool' }, 'Second'],
      [{ since: 2 }, 'Second third'],
      [{ limit: 2 }, 'Second third'],
    ] as const) {
      assert.equal(column(store.query(query), 'message').join(' '), messages, JSON.stringify(query));
    }
  });

  it('answers the newest of a session, and how many older ones there are', () => {
    const store = new RecordStore(1e6);
    for (let i = 1; i <= 5; i++) store.append(draft({ message: String(i) }));
    const { records, older } = store.newest(undefined, 2, any);
    assert.deepEqual(column(records, 'message'), ['5', '4']);
    assert.equal(older, 3);
    assert.deepEqual(store.newest('nobody', 2, any), { records: [], older: 0 });
  });

  it('answers the newest of some sessions or all, in the order of arrival, and how many older ones there are', () => {
    const store = new RecordStore(1e6);
    for (let n = 1; n <= 9; n++) {
      store.append(draft({ message: String(n), ...(n % 3 > 0 && { sessionId: `s${n % 3}` }) }));
    }
    const said = (sessions?: readonly (string | undefined)[]): unknown[] => {
      const { records, older } = store.last(4, any, sessions);
      return [records.map(({ message }) => message).join(' '), older];
    };
    assert.deepEqual(said(), ['6 7 8 9', 5]);
    assert.deepEqual(said(['s1', 's2']), ['4 5 7 8', 2]);
    assert.deepEqual(said([undefined]), ['3 6 9', 0]);
    assert.deepEqual(said([]), ['', 0]);
    assert.deepEqual(store.last(0, any), { records: [], older: 9 });
  });

  it('counts what is older as a search would, also when some went', () => {
    const store = new RecordStore(300_000);
    for (let n = 0; n < 5000; n++) {
      keep(store, draft({ level: levels[n % 8] ?? 'info', kind: kinds[n % 7] ?? 'log', message: `m${n}` }));
    }
    const some = [{ minLevel: 'error' }, { kinds: ['log', 'stderr'] }, { text: '9' }, { since: 2 }] as const;
    for (const query of [{}, ...some]) {
      const all = store.query({ ...query, sessionId: null });
      const { records, older } = store.newest(undefined, 10, compiled(query));
      assert.deepEqual(records, all.slice(-10).reverse());
      assert.equal(records.length + older, all.length);
    }
    assert.ok(store.dropped > 0);
  });

  it('stays within its bytes; the busiest session makes room, and what went is counted', () => {
    const store = new RecordStore(100_000);
    store.append(draft({ sessionId: 'quiet', message: 'what matters' }));
    for (let i = 0; i < 5000; i++) keep(store, draft({ sessionId: 'flood', message: `line ${i}` }));
    const kept = store.query({ sessionId: 'flood' });
    assert.equal(store.query({ sessionId: 'quiet' }).length, 1);
    assert.equal(kept.at(-1)?.message, 'line 4999');
    assert.equal(store.dropped, 5000 - kept.length);
    assert.ok(kept.length * 64 <= 100_000);
    assert.equal(store.get(kept[0]!.seq)?.message, kept[0]?.message);
    assert.equal(store.get(2), undefined);
  });

  for (const message of ['', 'x', 'xy', 'short text']) {
    it(`keeps many records in a page if each has only ${message.length} characters`, () => {
      const store = new RecordStore(1e7);
      for (let n = 0; n < 20_000; n++) keep(store, draft({ message }));
      assert.equal(store.held, 20_000);
      assert.ok(store.pages.length < 60, `${store.pages.length} pages`);
    });
  }

  it('stays within its bytes when every record has a different session', () => {
    const store = new RecordStore(50_000);
    for (let i = 0; i < 5000; i++) keep(store, draft({ sessionId: `s${i}` }));
    assert.ok(store.query().length < 50_000 / 64);
    assert.equal(store.query().length + store.dropped, 5000);
  });

  for (const sessions of [1, 100, 1000]) {
    it(`counts the memory it holds and stays within its limit with ${sessions} interleaved sessions`, () => {
      const maxBytes = 16e6;
      const store = new RecordStore(maxBytes);
      const line = 'x'.repeat(200);
      for (let n = 0; n < 80_000; n++) {
        const data = n % 20 === 0 && { data: { file: `file ${n}`, lines: [n, n + 1] } };
        keep(store, draft({ sessionId: `s${n % sessions}`, message: `message ${n}`, raw: line, ...data }));
        assert.ok(store.bytes <= maxBytes);
      }
      const held = heldBytes(store);
      assert.ok(held <= store.bytes && held > store.bytes * 0.6, `${held} bytes are held, ${store.bytes} are counted`);
      const used = store.query().reduce((sum, { message }) => sum + message.length + line.length + 48, 0);
      assert.ok(used > store.bytes * 0.5, `${used} of ${store.bytes} bytes are used`);
    });
  }

  it('shrinks sessions of the same size evenly', () => {
    const store = new RecordStore(4e6);
    for (let n = 0; n < 50_000; n++) {
      keep(store, draft({ sessionId: `s${n % 50}`, message: `message ${n}`, raw: 'x'.repeat(100) }));
    }
    const kept = Array.from({ length: 50 }, (_, n) => store.query({ sessionId: `s${n}` }).length);
    assert.ok(Math.min(...kept) > Math.max(...kept) * 0.4, kept.join(' '));
  });

  it('stays within its limit when records change from long to short and back', () => {
    const store = new RecordStore(4e6);
    for (let n = 0; n < 40_000; n++) {
      const isLong = n % 20_000 < 500;
      const raw = 'x'.repeat(isLong ? 50_000 : 90);
      keep(store, draft({ sessionId: `s${n % (isLong ? 3 : 400)}`, message: `${n}`, raw }));
      assert.ok(store.bytes <= 4e6);
    }
    assert.ok(heldBytes(store) <= store.bytes);
    assert.equal(store.query().at(-1)?.message, '39999');
  });

  it('forgets all when cleared, and goes on counting', () => {
    const store = new RecordStore(1e6);
    store.append(draft());
    store.clear();
    assert.deepEqual(store.query(), []);
    assert.equal(store.append(draft()), 2);
    assert.equal(store.dropped, 0);
  });
});

/** Total size of all buffers, arrays and strings reachable from an object, in bytes. */
function heldBytes(object: unknown): number {
  const seen = new Set<unknown>();
  const pending = [object];
  let bytes = 0;
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one === 'string') bytes += one.length;
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    if (one instanceof ArrayBuffer) bytes += one.byteLength;
    else if (ArrayBuffer.isView(one)) pending.push(one.buffer);
    else if (one instanceof Map) pending.push(...one.values());
    else {
      if (Array.isArray(one)) bytes += one.length * 8;
      for (const value of Object.values(one)) pending.push(value);
    }
  }
  return bytes;
}
