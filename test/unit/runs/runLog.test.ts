import assert from 'node:assert/strict';
import { RecordStore } from '../../../src/log/store';
import type { OpenRequest } from '../../../src/protocols/openRequests';
import type { RunLogChange } from '../../../src/runs/runLogChange';
import { RunLog } from '../../../src/runs/runLog';

const first: OpenRequest = { id: 1, method: 'tools/call', direction: 'out', startedAt: 0 };

function runLog(): { log: RunLog; changes: RunLogChange[] } {
  const log = new RunLog(new RecordStore(1e6), 0);
  const changes: RunLogChange[] = [];
  log.onDidChange((change) => changes.push(change));
  return { log, changes };
}

describe('run log: open requests', () => {
  it('has each as it is now, in the order in which they were opened', () => {
    const { log } = runLog();
    log.request({ type: 'opened', request: first });
    log.request({ type: 'opened', request: { ...first, id: '1' } });
    log.request({ type: 'opened', request: { ...first, direction: 'in' } });
    const current = { ...first, progress: { progress: 2, total: 5, message: 'compiling' } };
    log.request({ type: 'progress', request: current });
    assert.deepEqual(
      log.requests.map(({ id, direction, progress }) => [id, direction, progress?.message]),
      [
        [1, 'out', 'compiling'],
        ['1', 'out', undefined],
        [1, 'in', undefined],
      ],
    );
    log.request({ type: 'closed', request: first });
    assert.deepEqual(
      log.requests.map(({ id, direction }) => [id, direction]),
      [
        ['1', 'out'],
        [1, 'in'],
      ],
    );
  });

  it('tells of progress once for each slice of the wire, however much there was', () => {
    const { log, changes } = runLog();
    log.request({ type: 'opened', request: { ...first, sessionId: 's' } });
    log.flush();
    for (let progress = 0; progress < 1000; progress++) {
      log.request({ type: 'progress', request: { ...first, sessionId: 's', progress: { progress } } });
    }
    log.flush();
    assert.equal(changes.length, 2);
    assert.deepEqual([...changes[1]!.groups], ['s']);
    assert.deepEqual(changes[1]!.records, []);
  });
});
