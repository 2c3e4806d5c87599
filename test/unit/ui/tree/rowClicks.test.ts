import '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { agentDefinitions } from '../../../../src/runs/config/agentDefinition';
import { FileRuns } from '../../../../src/runs/files/fileRuns';
import { Runs } from '../../../../src/runs/runs';
import type { CommandTarget } from '../../../../src/ui/commandTarget';
import { RootRows } from '../../../../src/ui/tree/rows/rootRows';
import type { Row } from '../../../../src/ui/tree/rows/row';
import { JournalFolder } from '../../../../src/wire/journal/journalFolder';
import { TestRuns } from '../../../support/testRun';

describe('a click on a row', () => {
  const testRuns = new TestRuns();
  after(() => testRuns.end());

  it('opens the explorer of an agent, a run, a connection or a session, and keeps the focus', () => {
    const runs = new Runs();
    const run = testRuns.create('silent');
    runs.add(run);
    run.log.record({ receivedAt: 1, level: 'info', kind: 'log', message: 'one', sessionId: 'session-1' });
    const nowhere = new JournalFolder('/nowhere');
    const rows = new RootRows({
      runs,
      fileRuns: new FileRuns(nowhere, nowhere, () => assert.fail('read a file')),
      agents: () => agentDefinitions({}),
      showsActivity: () => true,
      saved: { isShown: false, folders: [], load: () => assert.fail('read sessions') },
      installed: () => Promise.resolve([]),
      now: () => 0,
      redraw: () => undefined,
    });
    const clicked = (row: Row): unknown => {
      const { command, arguments: [target] = [] } = row.item().command ?? {};
      const { run: of, sessionId, keepsFocus } = target as CommandTarget;
      return [command, of === run, sessionId, keepsFocus];
    };
    const open = 'agentLogs.openExplorer';
    for (const row of [rows.agent('silent'), rows.run(run), rows.group(run, undefined)]) {
      assert.deepEqual(clicked(row), [open, true, undefined, true], row.id);
    }
    assert.deepEqual(clicked(rows.group(run, 'session-1')), [open, true, 'session-1', true]);
    run.log.request({
      type: 'opened',
      request: { id: 1, method: 'session/prompt', direction: 'out', startedAt: 1, sessionId: 'session-1' },
    });
    const [request] = rows.group(run, 'session-1').children();
    assert.deepEqual(clicked(request!), [open, true, 'session-1', true]);
    const [target] = (request!.item().command?.arguments ?? []) as CommandTarget[];
    assert.equal(target?.request?.method, 'session/prompt');
    assert.equal(rows.agent('never started').item().command, undefined);
  });
});
