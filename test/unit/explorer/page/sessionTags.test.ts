import assert from 'node:assert/strict';
import { RecordStore } from '../../../../src/store/store';
import { RunLog } from '../../../../src/runLog/runLog';
import { sessionTags } from '../../../../src/explorer/page/rows';

describe('names of sessions in rows', () => {
  function tags(...titles: readonly string[]): readonly string[] {
    const log = new RunLog(new RecordStore(1e6), 0);
    for (const [index, title] of titles.entries()) {
      const sessionId = `sess-0000000${index}`;
      log.session({ type: 'titled', sessionId, title });
      log.record({ receivedAt: 0, kind: 'activity', level: 'info', message: 'hello', sessionId });
    }
    const found = sessionTags(log);
    return log.sessions.map(({ id }) => found.get(id) ?? '');
  }

  it('are left out if there is only one session', () => assert.deepEqual(tags('Fix the tests'), ['']));

  it('are titles that begin differently', () =>
    assert.deepEqual(tags('Fix the tests', 'Run them'), ['Fix the tests', 'Run them']));

  it('are the ends of titles that begin alike', () => {
    const found = tags('Review the pull request of Ann', 'Run them', 'Review the pull request of Bob');
    assert.deepEqual(found, ['…Ann', 'Run them', '…Bob']);
  });

  it('are the ends of IDs if titles are equal', () =>
    assert.deepEqual(tags('Fix the tests', 'Fix the tests'), ['…00000000', '…00000001']));
});
