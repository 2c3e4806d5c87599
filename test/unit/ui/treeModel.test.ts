import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentDefinitions } from '../../../src/runs/config/agentDefinition';
import type { FileRun } from '../../../src/runs/files/fileRun';
import { FileRuns } from '../../../src/runs/files/fileRuns';
import { Runs } from '../../../src/runs/runs';
import { pageSize, TreeModel } from '../../../src/ui/tree/treeModel';
import { JournalFolder } from '../../../src/wire/journal/journalFolder';
import { journalLine } from '../../../src/wire/journal/journalLine';
import type { TreeNode } from '../../../src/ui/tree/treeNode';
import { TestRuns } from '../../support/testRun';

describe('tree model', () => {
  const testRuns = new TestRuns();
  after(() => testRuns.end());

  function model(agentNames: string[] = []): { runs: Runs; tree: TreeModel; run: ReturnType<TestRuns['create']> } {
    const runs = new Runs();
    const tree = new TreeModel(runs, fileRuns(), {
      agentNames: () => agentNames,
      mistakes: () => [],
      showsActivity: () => true,
    });
    const run = testRuns.create('silent');
    return { runs, tree, run };
  }

  /** None: the folder is not there. */
  function fileRuns(): FileRuns {
    return new FileRuns(new JournalFolder('/nowhere'), new JournalFolder('/nowhere'), () =>
      assert.fail('nothing is to be read'),
    );
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

  it('is empty before the first run, and then has the configured agents, too, in their order', () => {
    const { runs, tree, run } = model(['other', 'another']);
    assert.deepEqual(tree.roots(), []);
    runs.add(run);
    assert.deepEqual(
      tree.roots().map(({ id }) => id),
      ['agent:other', 'agent:another', 'agent:silent'],
    );
  });

  it('has what is wrong in the settings before the first run, too, each once', () => {
    const { agents, problems } = agentDefinitions({ Good: { command: 'x' }, Bad: { command: 7 } });
    const tree = new TreeModel(new Runs(), fileRuns(), {
      agentNames: () => agents.map(({ name }) => name),
      mistakes: () => [...problems, ...problems],
      showsActivity: () => true,
    });
    const roots = tree.roots();
    assert.deepEqual(
      roots.map((node) => (node.type === 'mistake' ? node.problem.agent : node.id)),
      ['agent:Good', 'Bad'],
    );
    assert.deepEqual(tree.children(roots[1]!), []);
    assert.equal(tree.roots()[1], roots[1]);
  });

  it('keeps the agents of the settings in their places when one is started', () => {
    const { runs, tree, run } = model(['one', 'silent']);
    runs.add(testRuns.create('crashesAtOnce'));
    const before = tree.roots();
    runs.add(run);
    assert.deepEqual(tree.roots(), before);
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

  it('has one row for a past run, that of the object that is known now', async () => {
    const path = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    try {
      const folder = new JournalFolder(path);
      const file = folder.fileOf('A', 'abcdef12', 0)(1);
      const line = `${journalLine({ t: 0, dir: 'err', line: 'x' }, 0)}\n`;
      const past = new FileRuns(folder, new JournalFolder('/nowhere'), () => ({ level: 'info', maxMemory: 1e6 }));
      const tree = new TreeModel(new Runs(), past, {
        agentNames: () => [],
        mistakes: () => [],
        showsActivity: () => true,
      });
      const rows = (): TreeNode[] => [...tree.children(tree.past())];
      writeFileSync(file, line);
      const [before] = await past.refresh();
      assert.equal(rows().length, 1);
      appendFileSync(file, line); // by another window
      const [after] = await past.refresh();
      assert.ok(before && after && before !== after);
      assert.deepEqual(
        rows().map((row) => row.type === 'run' && row.run),
        [after],
      );
      await past.show(before);
      assert.deepEqual(
        rows().map((row) => row.type === 'run' && row.run),
        [before],
      );
      past.dispose();
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });

  it('has a row for every past run that is open, however old, and for none twice', async () => {
    const path = mkdtempSync(join(tmpdir(), 'agent-logs-'));
    try {
      const folder = new JournalFolder(path);
      const past = new FileRuns(folder, new JournalFolder('/nowhere'), () => ({ level: 'info', maxMemory: 1e6 }));
      const tree = new TreeModel(new Runs(), past, {
        agentNames: () => [],
        mistakes: () => [],
        showsActivity: () => true,
      });
      for (let n = 0; n < 25; n++) {
        const t = n * 60_000;
        writeFileSync(folder.fileOf('A', `abcdef${n + 10}`, t)(1), `${journalLine({ t, dir: 'err', line: 'x' }, t)}\n`);
      }
      const oldest = (await past.refresh()).at(-1)!;
      const rows = (): readonly TreeNode[] => tree.children(tree.past());
      const isRow = (run: FileRun): boolean => rows().some((row) => row.type === 'run' && row.run === run);
      assert.ok(rows().length === 21 && !isRow(oldest));
      await past.show(oldest);
      assert.ok(rows().length === 22 && isRow(oldest));
      const opened = await past.show(await past.at((await past.refresh())[0]!.info.paths[0]!, 'opened'));
      const ids = [tree.past(), tree.agent('A')].flatMap((node) => tree.children(node)).map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(opened.info.origin === 'past' || !isRow(opened));
      past.dispose();
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });

  it('shows what reaches the level, the newest first, and twice as many each time', () => {
    const { runs, tree, run } = model();
    runs.add(run);
    logs(run, pageSize * 12);
    const group = tree.group(run, undefined);
    const rows = tree.children(group);
    assert.equal(rows.length, pageSize + 1);
    const [first] = rows;
    const older = rows.at(-1);
    assert.equal(first?.type === 'record' && first.record.message, String(pageSize * 12 - 2));
    assert.equal(older?.type === 'older' && older.count, pageSize * 5);
    tree.unfold(group);
    assert.equal(tree.children(group).length, pageSize * 2 + 1);
    tree.unfold(group);
    assert.equal(tree.children(group).length, pageSize * 4 + 1);
    tree.unfold(group);
    assert.equal(tree.children(group).length, pageSize * 6);
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
