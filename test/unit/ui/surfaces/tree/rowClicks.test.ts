import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import { Runs } from '../../../../../src/runs/runs';
import type { CommandTarget } from '../../../../../src/ui/kit/commandTarget';
import { RootRows } from '../../../../../src/ui/surfaces/tree/rows/rootRows';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { TestRuns } from '../../../../support/testRun';

describe('a click on a row', () => {
  const testRuns = new TestRuns();
  after(() => testRuns.end());

  it('opens the explorer of an agent, a run, a connection or a session, and keeps the focus', () => {
    const runs = new Runs();
    const run = testRuns.create('silent');
    runs.add(run);
    run.log.record({ receivedAt: 1, level: 'info', kind: 'log', message: 'one', sessionId: 'session-1' });
    const rows = rootRows(runs, () => 0);
    const clicked = (row: Row): unknown => {
      const { command, arguments: [target] = [] } = row.item().command ?? {};
      const { run: of, sessionId, keepsFocus } = target as CommandTarget;
      return [command, of === run, sessionId, keepsFocus];
    };
    const open = 'agentLogs.openExplorer';
    for (const row of [rows.agent('silent'), rows.run(run), rows.group(run, undefined)]) {
      assert.deepEqual(clicked(row), [open, true, undefined, true], row.id);
      assert.equal(row.target.row, row, row.id);
    }
    assert.deepEqual(clicked(rows.group(run, 'session-1')), [open, true, 'session-1', true]);
    const prompt = { id: 1, method: 'session/prompt', direction: 'out', startedAt: 1, sessionId: 'session-1' } as const;
    run.log.work.requests.add(prompt);
    const [request] = rows.group(run, 'session-1').children();
    assert.deepEqual(clicked(request!), [open, true, 'session-1', true]);
    const [target] = (request!.item().command?.arguments ?? []) as CommandTarget[];
    assert.equal(target?.request?.method, 'session/prompt');
    assert.equal(rows.agent('never started').item().command, undefined);
  });

  it('meets the same request while its time goes on, which is drawn again seldom', () => {
    const runs = new Runs();
    const run = testRuns.create('silent');
    runs.add(run);
    run.log.work.requests.add({ id: 1, method: 'tools/call', direction: 'out', startedAt: 0 });
    let now = 0;
    const rows = rootRows(runs, () => now);
    const [request] = rows.group(run, undefined).children();
    assert.equal(rows.group(run, undefined).children()[0], request);
    request!.item();
    let drawn = 0;
    for (; now < 60_000; now += 1000) {
      if (!request!.isStale()) continue;
      request!.item();
      drawn++;
    }
    assert.equal(drawn, 9 + 5, 'each second, then every ten');
  });

  it("meets the same request while its time goes on, which isn't on the rows above it as well", () => {
    const runs = new Runs();
    const run = testRuns.create('silent');
    runs.add(run);
    const asked = { id: 1, method: 'tools/call', direction: 'out', startedAt: 0 } as const;
    run.log.work.requests.add(asked);
    run.log.summary(undefined, { activity: { type: 'waiting-for-answer', since: 0, method: 'tools/call' } });
    const rows = rootRows(runs, () => 20_000);
    const [agent, connection] = [rows.agent('silent'), rows.group(run, undefined)];
    const isTimed = (): boolean => agent.item().description?.toString().includes('waiting 20 s') === true;
    assert.ok(isTimed());
    connection.unfolded(true);
    assert.match(String(agent.item().description), /^waiting for the answer to tools\/call · /);
    agent.unfolded(false);
    assert.ok(isTimed(), 'the row of the request is out of sight');
    agent.unfolded(true);
    assert.ok(!isTimed());
    connection.unfolded(false);
    assert.ok(isTimed());
  });
});

function rootRows(runs: Runs, now: () => number): RootRows {
  const nowhere = new JournalFolder('/nowhere');
  return new RootRows({
    runs,
    fileRuns: new FileRuns(nowhere, nowhere, () => assert.fail('read a file')),
    agents: () => agentDefinitions({}),
    isTrusted: () => true,
    showsActivity: () => true,
    prices: () => ({}),
    saved: { isShown: false, folders: [], load: () => assert.fail('read sessions') },
    sessionsNow: { shown: [], waiting: [] },
    mcpServers: { watched: [], refresh: () => Promise.resolve() },
    installed: () => Promise.resolve([]),
    now,
    redraw: () => undefined,
  });
}
