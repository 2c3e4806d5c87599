import '../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { ThemeIcon } from 'vscode';
import { agentDefinitions } from '../../../../../src/live/config/agentDefinition';
import { FileRuns } from '../../../../../src/past/files/fileRuns';
import type { Run } from '../../../../../src/live/run';
import { Runs } from '../../../../../src/runs/runs';
import { shortTime } from '../../../../../src/ui/surfaces/tree/format';
import { RootRows } from '../../../../../src/ui/surfaces/tree/rows/rootRows';
import type { RowSources } from '../../../../../src/ui/surfaces/tree/rows/rowSources';
import type { Row } from '../../../../../src/ui/surfaces/tree/rows/row';
import { JournalFolder } from '../../../../../src/wire/journal/journalFolder';
import { start, TestRuns } from '../../../../support/testRun';

describe('the row of an agent', () => {
  const testRuns = new TestRuns();
  after(() => testRuns.end());

  let runs: Runs;
  let run: Run;
  let rows: RootRows;

  beforeEach(() => {
    runs = new Runs();
    run = testRuns.create('silent');
    runs.add(run);
    rows = rowsOf(() => agentDefinitions({}));
  });

  const rowsOf = (agents: RowSources['agents']): RootRows => {
    const none = new JournalFolder('/nowhere');
    return new RootRows({
      runs,
      fileRuns: new FileRuns(none, none, () => assert.fail('read a file')),
      agents,
      isTrusted: () => true,
      showsActivity: () => true,
      prices: () => ({}),
      saved: { isShown: false, folders: [], load: () => assert.fail('read sessions') },
      sessionsNow: { shown: [], waiting: [] },
      mcpServers: { watched: [], refresh: () => Promise.resolve() },
      installed: () => Promise.resolve([]),
      now: () => 60_000,
      redraw: () => undefined,
    });
  };

  const idsOf = (all: readonly Row[]): string[] => all.map(({ id }) => id);

  it('shows the sessions of an only run below the agent, with its state and actions', () => {
    run.log.record({ receivedAt: 0, level: 'info', kind: 'log', message: 'x', sessionId: 's1' });
    const [agent] = rows.all();
    assert.ok(agent);
    const groups = [`session:${run.id}:s1`, `connection:${run.id}`];
    assert.deepEqual(idsOf(agent.children()), groups);
    assert.deepEqual([agent.children()[0]?.parent, rows.run(run).drawn], [agent, agent]);
    assert.match(String(agent.item().description), /^starting · \d\d:\d\d:\d\d · /);
    assert.match(agent.item().contextValue ?? '', /^agent .*\bstop\b.*\bexport\b/);
    assert.match(agent.tooltip(), /^silent: starting\n/);

    const second = testRuns.create('silent');
    runs.add(second);
    assert.deepEqual(idsOf(agent.children()), [`run:${second.id}`, `run:${run.id}`]);
    assert.deepEqual([rows.run(run).drawn, rows.run(run).parent], [rows.run(run), agent]);
    assert.equal(agent.item().description, undefined);
  });

  it('shows the worst of what is below an agent while its row is collapsed', () => {
    const agent = rows.agent('silent');
    const icon = (): string => (agent.item().iconPath as ThemeIcon).id;
    assert.equal(icon(), 'loading~spin');
    run.log.record({ receivedAt: 0, level: 'warning', kind: 'log', message: 'slow', sessionId: 's' });
    agent.unfolded(false);
    assert.ok(agent.isStale());
    assert.equal(icon(), 'warning');
    assert.match(agent.item().accessibilityInformation?.label ?? '', /, highest level: warning$/);
    run.log.record({ receivedAt: 0, level: 'error', kind: 'log', message: 'failed', sessionId: 's' });
    assert.ok(agent.isStale());
    assert.equal(icon(), 'error');
    agent.unfolded(true);
    assert.equal(icon(), 'loading~spin');

    runs.add(testRuns.create('silent'));
    assert.deepEqual([icon(), agent.item().description], ['robot', undefined]);
    agent.unfolded(false);
    assert.deepEqual([icon(), agent.item().description], ['error', 'starting']);
  });

  it('cuts a long name before a description, so that a narrow view shows both', () => {
    const name = 'Claude Code in the container of the shop';
    const agents = { ...agentDefinitions({ [name]: { command: '' } }), hints: [] };
    rows = rowsOf(() => agents);
    const long = rows.agent(name);
    const item = long.item();
    assert.deepEqual([item.label, item.description], ['Claude Code in t…', 'not started']);
    assert.equal(item.accessibilityInformation?.label, `Agent ${name}, not started`);
    assert.equal(long.tooltip(), name);
  });

  it('keeps the name of a run that has ended', async () => {
    const first = testRuns.create('ignoresCancel');
    for (const one of [first, testRuns.create('ignoresCancel')]) runs.add(one);
    const label = (): unknown => rows.run(first).item().label;
    await start(first);
    const name = label();
    // Runs of one agent are told apart where a narrow view shows it.
    assert.equal(name, `fake ${shortTime(first.startedAt, 60_000)}`);
    await first.stop();
    assert.equal(label(), name);
    assert.match(String(rows.run(first).item().description), /^(stopped|exit|ended).* · info$/);
  });
});
