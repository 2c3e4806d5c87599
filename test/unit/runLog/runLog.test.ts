import assert from 'node:assert/strict';
import { codeCount, wantedCodes } from '../../../src/query/compiledQuery';
import { RecordStore } from '../../../src/store/store';
import type { OpenRequest } from '../../../src/work/requests';
import type { RunLogChange } from '../../../src/runLog/runLogChange';
import { RunLog } from '../../../src/runLog/runLog';
import { column } from '../../support/columns';

const first: OpenRequest = { id: 1, method: 'tools/call', direction: 'out', startedAt: 0 };

function runLog(): { log: RunLog; changes: RunLogChange[] } {
  const log = new RunLog(new RecordStore(1e6), 0);
  const changes: RunLogChange[] = [];
  log.onDidChange((change) => changes.push(change));
  return { log, changes };
}

describe('run log: open requests', () => {
  it('are current, in the order in which they were opened', () => {
    const { log } = runLog();
    const { requests } = log.work;
    requests.add(first);
    requests.add({ ...first, id: '1' });
    requests.add({ ...first, direction: 'in' });
    requests.report('out', first.id, { progress: 2, total: 5, message: 'compiling' });
    const open = (): string[] => log.requests.map(({ id, direction }) => `${JSON.stringify(id)} ${direction}`);
    assert.deepEqual(open(), ['1 out', '"1" out', '1 in']);
    assert.deepEqual(
      column(log.requests, 'progress').map((one) => one?.message),
      ['compiling', undefined, undefined],
    );
    requests.end('out', first.id, 'answered', 1);
    assert.deepEqual(open(), ['"1" out', '1 in']);
  });

  it('report progress once per slice of the wire, however much there was', () => {
    const { log, changes } = runLog();
    log.work.requests.add({ ...first, sessionId: 's' });
    log.flush();
    for (let progress = 0; progress < 1000; progress++) log.work.requests.report('out', first.id, { progress });
    log.flush();
    assert.equal(changes.length, 2);
    assert.deepEqual([...changes[1]!.groups], ['s']);
    assert.deepEqual(changes[1]!.records, []);
  });
});

describe('run log: changes', () => {
  const level = (n: number): 'error' | 'info' => (n % 10 === 0 ? 'error' : 'info');
  const errors = wantedCodes(({ level: of }) => of === 'error');
  const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  function fill(log: RunLog, from: number, to: number): void {
    for (let n = from; n <= to; n++) {
      log.record({ receivedAt: n, level: level(n), kind: 'log', sessionId: `s${n % 3}`, message: `m${n}` });
    }
  }

  it('are reported once and in order, including records evicted right after', () => {
    const log = new RunLog(new RecordStore(60_000), 0);
    const told: number[] = [];
    const lastLooks: boolean[] = [];
    log.onDidChange(({ records, isLastLook }) => {
      told.push(...column(records, 'seq'));
      lastLooks.push(isLastLook);
    });
    for (let n = 0; n < 20; n++) {
      fill(log, n * 50 + 1, (n + 1) * 50);
      log.flush();
    }
    assert.deepEqual(told, oneTo(1000));
    assert.ok(log.store.dropped > 500 && lastLooks.includes(true) && lastLooks.includes(false));
    assert.ok(!log.store.isOverfull);
  });

  it('can be read partially: the newest ones, and the number of others', () => {
    const { log, changes } = runLog();
    fill(log, 1, 100);
    log.flush();
    fill(log, 101, 1000);
    log.flush();
    const [first, second] = changes;
    const seqs = (change: RunLogChange, limit: number): readonly [number[], number] => {
      const { records, older } = change.newest(errors, limit);
      return [records.map(({ seq }) => seq), older];
    };
    assert.deepEqual(seqs(second!, 3), [[980, 990, 1000], 87]);
    assert.deepEqual(seqs(second!, 0), [[], 90]);
    assert.deepEqual(seqs(second!.since(first!), 100)[0].length, 100);
    assert.deepEqual(seqs(second!.since(first!), 2), [[990, 1000], 98]);
    assert.equal(second!.since(first!).count, 1000);
  });

  it('belong to one change, whenever they are read', () => {
    const { log, changes } = runLog();
    fill(log, 1, 3);
    log.flush();
    fill(log, 4, 6);
    const seqs = (): number[] => changes.flatMap(({ records }) => records.map(({ seq }) => seq));
    assert.deepEqual(seqs(), [1, 2, 3]);
    assert.deepEqual(changes[0]!.newest(new Uint8Array(codeCount).fill(1), 0), { records: [], older: 3 });
    log.flush();
    assert.deepEqual(seqs(), [1, 2, 3, 4, 5, 6]);
    fill(log, 7, 8);
    assert.equal(changes[1]!.since(changes[0]!).records.length, 6);
  });

  it('reach all listeners before their side effects and before evictions', async () => {
    const log = new RunLog(new RecordStore(60_000), 0);
    const told: number[] = [];
    const all = new Promise<void>((resolve) => {
      log.onDidChange(() => {
        if (log.lastSeq > 200) return;
        fill(log, 201, 210);
        log.flush();
      });
      log.onDidChange(({ records }) => {
        told.push(...records.map(({ seq }) => seq));
        if (told.includes(210)) resolve();
      });
    });
    fill(log, 1, 200);
    log.flush();
    assert.equal(told.length, 200);
    await all;
    assert.deepEqual(told, oneTo(210));
  });
});
