import assert from 'node:assert/strict';
import { Runs } from '../../../src/runs/runs';
import { pageSize, TreeModel } from '../../../src/ui/tree/treeModel';
import type { TreeNode } from '../../../src/ui/tree/treeNode';
import { TestRuns } from '../../support/testRun';

describe('tree model', () => {
  const testRuns = new TestRuns();
  after(() => testRuns.end());

  function model(agentNames: string[] = []): { runs: Runs; tree: TreeModel; run: ReturnType<TestRuns['create']> } {
    const runs = new Runs();
    const tree = new TreeModel(runs, { agentNames: () => agentNames, showsActivity: () => true });
    const run = testRuns.create('silent');
    return { runs, tree, run };
  }

  function logs(run: ReturnType<TestRuns['create']>, count: number, sessionId?: string): void {
    for (let i = 0; i < count; i++) {
      run.log.record({
        receivedAt: i,
        level: i % 2 === 0 ? 'info' : 'debug',
        kind: 'log',
        message: String(i),
        ...(sessionId !== undefined && { sessionId }),
      });
    }
  }

  it('is empty before the first run, and then has the configured agents too', () => {
    const { runs, tree, run } = model(['other']);
    assert.deepEqual(tree.roots(), []);
    runs.add(run);
    assert.deepEqual(
      tree.roots().map(({ id }) => id),
      ['agent:silent', 'agent:other'],
    );
  });

  it('goes from agent to run to connection and sessions to records, and back', () => {
    const { runs, tree, run } = model();
    runs.add(run);
    logs(run, 3, 's1');
    const path: TreeNode[] = [];
    for (let node = tree.roots()[0]; node; node = tree.children(node).at(-1)) path.push(node);
    assert.deepEqual(
      path.map(({ type }) => type),
      ['agent', 'run', 'group', 'record'],
    );
    assert.deepEqual(
      path.slice(1).map((node) => tree.parent(node)),
      path.slice(0, -1),
    );
    assert.deepEqual(
      tree.children(path[1]!).map(({ id }) => id),
      [`connection:${run.id}`, `session:${run.id}:s1`],
    );
  });

  it('gives the same object for the same row', () => {
    const { runs, tree, run } = model();
    runs.add(run);
    assert.equal(tree.roots()[0], tree.roots()[0]);
    assert.equal(tree.group(run, 's'), tree.group(run, 's'));
  });

  it('shows what reaches the level, the newest first, and the rest page by page', () => {
    const { runs, tree, run } = model();
    runs.add(run);
    logs(run, pageSize * 4);
    const group = tree.group(run, undefined);
    const rows = tree.children(group);
    assert.equal(rows.length, pageSize + 1);
    const [first] = rows;
    const older = rows.at(-1);
    assert.equal(first?.type === 'record' && first.record.message, String(pageSize * 4 - 2));
    assert.equal(older?.type === 'older' && older.count, pageSize);
    tree.unfold(group);
    assert.equal(tree.children(group).length, pageSize * 2);
  });

  it('shows open requests above the records', () => {
    const { runs, tree, run } = model();
    runs.add(run);
    logs(run, 1);
    run.log.request({
      type: 'opened',
      request: { id: 1, method: 'initialize', direction: 'out', startedAt: 0 },
    });
    assert.deepEqual(
      tree.children(tree.group(run, undefined)).map(({ type }) => type),
      ['request', 'record'],
    );
  });

  it('forgets the rows of a run', () => {
    const { runs, tree, run } = model();
    runs.add(run);
    const before = tree.group(run, undefined);
    tree.forget(run);
    assert.notEqual(tree.group(run, undefined), before);
  });
});
