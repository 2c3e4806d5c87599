import assert from 'node:assert/strict';
import { RecordStore } from '../../../../src/store/store';
import { RunLog } from '../../../../src/runLog/runLog';
import type { RunView } from '../../../../src/runLog/runView';
import { evaluate } from '../../../../src/cli/check/evaluate';

describe('agent-logs check: problems', () => {
  it('are counted behind a thousand that were settled', async () => {
    const log = new RunLog(new RecordStore(1e8), 0);
    for (let i = 0; i < 1500; i++) {
      const message = `problem ${i}`;
      log.record({ receivedAt: i, level: 'warning', kind: 'diagnosis', logger: 'tool-failed', message });
      if (i < 1400) log.settled({ seq: log.lastSeq, level: 'warning', sessionId: undefined, by: log.lastSeq });
    }
    const run = { log, cwd: '', state: { type: 'following', lastAt: 0, size: 0 } } as unknown as RunView;
    const { passed, found, evidence } = await evaluate(run, { type: 'noProblems', level: 'warning' }, () =>
      Promise.reject(new Error('there is no other run')),
    );
    assert.deepEqual([passed, found, evidence.length], [false, '100 problems', 20]);
    assert.match(evidence[0]?.line ?? '', /problem 1400/);
  });
});
