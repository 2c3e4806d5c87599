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

  const [ann, bob] = ['Ann', 'Bob'].map((name) => `Review the pull request of ${name}`) as [string, string];
  for (const [what, titles, expected] of [
    ['left out if there is only one session', ['Fix the tests'], ['']],
    ['titles that begin differently', ['Fix the tests', 'Run them'], ['Fix the tests', 'Run them']],
    ['the ends of titles that begin alike', [ann, 'Run them', bob], ['…Ann', 'Run them', '…Bob']],
    ['the ends of IDs if titles are equal', ['Fix the tests', 'Fix the tests'], ['…00000000', '…00000001']],
  ] as const) {
    it(`are ${what}`, () => assert.deepEqual(tags(...titles), expected));
  }
});
