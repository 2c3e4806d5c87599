import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseQuery } from '../../../src/query/parseQuery';
import type { RecordResult } from '../../../src/matches/recordResult';
import type { RunLog } from '../../../src/runLog/runLog';
import { column } from '../../support/columns';
import { naiveFilter } from '../../support/naiveFilter';
import { MemoryPageFile } from '../../support/memoryPageFile';
import { draftOf, emptyLog, now, resultOf, whenDone } from '../../support/queriedLog';

const terms = fc.constantFrom(
  'needle', 'need', 'needlew', 'größe', '"module 1"', 'e', 'absent', '-needle', '-32601', '/module \\d1$/', '/NEEDLE/i',
  'level:warning', 'level:=info', '-level:error', 'level:=debug,=alert', 'session:none', 'session:00000001', 'session:work',
  '-session:00000002', 'logger:http*', 'logger:db,needle', '-logger:*', 'kind:stderr', 'kind:log', 'is:problem', '-is:problem',
  'has:data', '-has:data', 'raw:\\"n\\":1', 'raw:module', '-raw:linked', 'seq:3..40', 'seq:10', 'seq:60..', 'since:12:00:20',
  'until:2026-11-22T12:01:00Z', 'since:1m',
); // prettier-ignore
const queries = fc.array(terms, { maxLength: 4 }).map((some) => some.join(' '));

describe('query results', () => {
  it('match what a plain filter finds while records come and go', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('add' as const), count: fc.integer({ min: 1, max: 60 }) }),
        fc.constant({ type: 'wait' as const }),
        fc.constant({ type: 'title' as const }),
        fc.constant({ type: 'clear' as const }),
      ),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(queries, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (some, asked, spills) => {
          const log = emptyLog(40_000, spills ? () => new MemoryPageFile() : undefined);
          const results: RecordResult[] = [];
          for (const step of some) {
            if (step.type === 'add') add(log, step.count);
            else if (step.type === 'clear') log.clear();
            else if (step.type === 'title') log.session({ type: 'titled', sessionId: firstSession, title: 'Work' });
            else {
              for (const query of asked) results.push(resultOf(log, query));
              for (const result of results) await whenDone(result);
            }
          }
          log.flush();
          for (const result of results) result.dispose();
          for (const query of asked) {
            const result = resultOf(log, query);
            await whenDone(result);
            await check(log, result, query);
            result.dispose();
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('follow new records, and only count those still present', async () => {
    const log = emptyLog(200_000);
    const result = resultOf(log, 'needle -level:debug');
    await whenDone(result);
    for (let round = 0; round < 6; round++) {
      add(log, 300);
      await changed(result);
      await check(log, result, 'needle -level:debug');
    }
    assert.ok(log.store.dropped > 0);
    result.dispose();
  });

  it('include records spilled to the file', async () => {
    const log = emptyLog(400_000, () => new MemoryPageFile());
    const live = resultOf(log, 'needle level:warning');
    for (let round = 0; round < 60; round++) {
      add(log, 50);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(log.store.dropped, 0);
    assert.ok(log.store.bytes <= 400_000);
    const some = ['', 'needle level:warning', 'raw:linked', '/module 1\\d\\d$/', 'need', 'needlew', 'logger:db -größe'];
    for (const query of some) {
      const result = resultOf(log, query);
      await whenDone(result);
      await check(log, result, query);
      result.dispose();
    }
    add(log, 50);
    await changed(live);
    await check(log, live, 'needle level:warning');
    live.dispose();
  });

  it('extend a word from the results of the shorter one', async () => {
    const log = emptyLog();
    add(log, 3000);
    const results = ['n', 'ne', 'nee', 'need', 'needlework'].map((query) => [query, resultOf(log, query)] as const);
    for (const [query, result] of results) {
      await whenDone(result);
      await check(log, result, query);
    }
  });

  it('answer nothing after they are disposed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(6), async (turns) => {
        const log = emptyLog();
        add(log, 2000);
        const result = resultOf(log, 'needle /module/');
        let answers = 0;
        let isDisposed = false;
        result.onDidChange(() => (answers += isDisposed ? 1 : 0));
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        result.dispose();
        isDisposed = true;
        add(log, 10);
        const other = resultOf(log, 'needle');
        await whenDone(other);
        other.dispose();
        assert.equal(answers, 0);
      }),
      { numRuns: 20 },
    );
  });

  it('report an invalid expression', async () => {
    const log = emptyLog();
    add(log, 10);
    const result = resultOf(log, '/(/');
    await whenDone(result);
    assert.match(result.state.error ?? '', /Invalid regular expression/);
    assert.equal(result.state.total, 0);
  });
});

const firstSession = '5e551017-0000-4000-8000-000000000001';

function add(log: RunLog, count: number): void {
  for (let n = 0; n < count; n++) log.record(draftOf(log.lastSeq));
  log.flush();
}

function changed(result: RecordResult): Promise<void> {
  return new Promise((resolve) => {
    const subscription = result.onDidChange(() => {
      subscription.dispose();
      resolve();
    });
  });
}

async function check(log: RunLog, result: RecordResult, query: string): Promise<void> {
  const expected = naiveFilter(log, parseQuery(query), now);
  const seqs = expected.map(({ seq }) => seq);
  assert.equal(result.state.error, undefined);
  assert.equal(result.state.total, seqs.length, query);
  const pages = Array.from({ length: Math.ceil(seqs.length / 200) }, (_, n) => result.rows(n * 200, 200));
  const rows = (await Promise.all(pages)).flat();
  const plain = (records: readonly object[]): readonly object[] => records.map((record) => ({ ...record }));
  assert.deepEqual(plain(rows), plain(expected), query);
  const sum = (counts: Iterable<number> = []): number => [...counts].reduce((all, count) => all + count, 0);
  assert.equal(sum((await result.histogram(7))?.counts), seqs.length);
  for (const probe of [0, 1, 17, seqs[3] ?? 5, log.lastSeq, log.lastSeq + 9]) {
    const index = seqs.findIndex((seq) => seq >= probe);
    assert.deepEqual(result.indexOf(probe), index < 0 ? undefined : { index, isMatch: seqs[index] === probe });
    const [after, before] = [seqs.find((seq) => seq > probe), seqs.findLast((seq) => seq < probe)];
    assert.deepEqual([result.next(probe, 1), result.next(probe, -1)], [after, before]);
    const own = log.store.get(probe);
    const other = expected.findLast(({ seq, sessionId }) => seq < probe && (!own || sessionId !== own.sessionId));
    assert.equal(result.nextOfOtherSession(probe, -1), other?.seq);
  }
  for (const key of ['kind', 'level', 'session'] as const) {
    assert.equal(sum(column((await result.facets(key)) ?? [], 'count')), seqs.length, key);
  }
}
