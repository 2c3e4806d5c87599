import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { Runs } from '../../../../../src/runs/runs';
import { pageSize } from '../../../../../src/ui/surfaces/tree/rows/groupRow';
import { MoreRow } from '../../../../../src/ui/surfaces/tree/rows/moreRow';
import type { RowSources } from '../../../../../src/ui/surfaces/tree/rows/rowSources';
import { RunRow } from '../../../../../src/ui/surfaces/tree/rows/runRow';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { TestRuns } from '../../../../support/testRun';

describe('the row of a run', () => {
  const testRuns = new TestRuns();
  after(() => testRuns.end());

  it('shows the newest sessions, twice as many each time, and an older one that is revealed', async () => {
    const run = testRuns.create('silent');
    const runs = new Runs();
    runs.add(run);
    for (let n = 0; n < pageSize * 3; n++) {
      const level = n === 3 ? 'error' : 'info';
      run.log.record({ receivedAt: n, level, kind: 'log', message: 'hello', sessionId: `s${n}` });
    }
    const noFiles = new JournalFolder('/nowhere');
    const sources: RowSources = {
      runs,
      fileRuns: new FileRuns(noFiles, noFiles, () => assert.fail('read a file')),
      agents: () => agentDefinitions({}),
      isTrusted: () => true,
      showsActivity: () => true,
      prices: () => ({}),
      saved: { isShown: false, folders: [], load: () => assert.fail('read sessions') },
      sessionsNow: { shown: [], waiting: [] },
      mcpServers: { watched: [], refresh: () => Promise.resolve() },
      installed: () => Promise.resolve([]),
      now: () => 60_000,
      redraw: () => undefined,
    };
    const row = new RunRow(run, sources, () => ({ parent: undefined }));
    const sessions = (): (string | undefined)[] => row.children().flatMap(({ target }) => target.sessionId ?? []);
    const older = row.children()[0];
    assert.deepEqual([sessions().length, sessions()[0]], [pageSize, `s${pageSize * 2}`]);
    assert.ok(older instanceof MoreRow);
    assert.deepEqual([older.item().label, older.parent], [`${pageSize * 2} older…`, row.drawn]);
    // What went wrong isn't hidden with its session.
    assert.equal(older.item().description, '1 error');

    row.show('s90');
    assert.deepEqual([sessions().length, sessions()[0]], [pageSize * 3 - 90, 's90']);
    row.show('s149');
    assert.equal(sessions()[0], 's90');

    await older.showMore();
    assert.equal(sessions().length, (pageSize * 3 - 90) * 2);
    await older.showMore();
    assert.equal(sessions().length, pageSize * 3);
    assert.ok(!row.children().some((one) => one instanceof MoreRow));
  });
});
