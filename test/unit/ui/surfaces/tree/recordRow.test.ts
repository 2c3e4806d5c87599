import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { TestRuns } from '../../../../support/testRun';
import { treeRows } from '../../../../support/treeRows';

describe('the row of a record', () => {
  const testRuns = new TestRuns();
  after(() => testRuns.end());
  const { fixture } = treeRows(testRuns);

  it('begins with its logger, that of a problem with its sentence, with the code in the tooltip', () => {
    const { runs, rows, run } = fixture();
    runs.add(run);
    const common = { receivedAt: 0, level: 'error' } as const;
    run.log.record({ ...common, kind: 'log', logger: 'search', message: 'The index is stale' });
    run.log.record({ ...common, kind: 'diagnosis', logger: 'failed-turn', message: 'Turn failed: overloaded.' });
    run.log.record({ ...common, kind: 'diagnosis', logger: 'agent-ended', message: 'Exited with code 1.' });
    const shown = rows.group(run, undefined).children();
    assert.deepEqual(
      shown.map((row) => row.item().label),
      ['Exited with code 1.', 'Turn failed: overloaded.', 'search: The index is stale'],
    );
    assert.match(shown[1]?.tooltip() ?? '', /^error · diagnosis · failed-turn · /);
  });
});
