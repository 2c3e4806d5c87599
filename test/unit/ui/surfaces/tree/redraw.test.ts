import assert from 'node:assert/strict';
import { DrawnRows } from '../../../../../src/ui/surfaces/tree/drawnRows';
import { mock } from 'node:test';
import { RefreshQueue } from '../../../../../src/ui/surfaces/tree/refreshQueue';
import { revealRow } from '../../../../../src/ui/surfaces/tree/revealRow';

describe('drawn rows', () => {
  class FakeRow {
    id = 'row';
    constructor(public below: FakeRow[]) {}
    itemId = (): string => this.id;
    children = (): FakeRow[] => this.below;
  }
  const row = (...below: FakeRow[]): FakeRow => new FakeRow(below);

  function drawn(...roots: FakeRow[]): DrawnRows<FakeRow> {
    const rows = new DrawnRows<FakeRow>();
    rows.drew(roots);
    return rows;
  }

  it('has none to redraw if nothing was added or removed', () => {
    const root = row(row());
    assert.deepEqual(drawn(root).changed([root]), []);
  });

  it('redraws a root once if the rows below it changed', () => {
    const [one, two] = [row(), row()];
    for (const below of [[two, one], [row()], [one]]) {
      const [root, past] = [row(two), row(two)];
      const rows = drawn(root, past);
      past.below = below;
      assert.deepEqual(rows.changed([root, past]), [past]);
      assert.deepEqual(rows.changed([root, past]), []);
    }
  });

  it('redraws the whole tree if a root was added or removed', () => {
    const root = row();
    assert.equal(drawn(root).changed([root, row()]), undefined);
    assert.equal(drawn(root, row()).changed([root]), undefined);
  });

  it('redraws the whole tree if the ID of a root changes, as when it gets its first row or loses its last', () => {
    const root = row(row());
    const rows = drawn(root);
    [root.id, root.below] = ['row:leaf', []];
    assert.equal(rows.changed([root]), undefined);
  });

  it('redraws nothing for rows that VS Code has asked for meanwhile', () => {
    const [group, other] = [row(), row()];
    const rows = drawn(group, other);
    group.below = [row(), row()];
    rows.drewBelow(group, group.below);
    rows.drewBelow(row(), [row()]);
    assert.deepEqual(rows.changed([group, other]), []);
    group.below = [];
    assert.deepEqual(rows.changed([group, other]), [group]);
  });
});

describe('refresh queue', () => {
  interface FakeRow {
    readonly parent: FakeRow | undefined;
    isStale(): boolean;
    redrawing(): void;
  }
  const row = (stale = false, parent?: FakeRow): FakeRow => ({
    parent,
    isStale: () => stale,
    redrawing: () => (stale = false),
  });

  before(() => mock.timers.enable({ apis: ['setTimeout'] }));
  after(() => mock.timers.reset());

  /** The rows that were redrawn by the time that the queue is empty, a list for each redraw. */
  function redrawn(act: (queue: RefreshQueue<FakeRow>, fired: readonly unknown[]) => void): readonly unknown[] {
    const fired: unknown[] = [];
    const queue = new RefreshQueue<FakeRow>((rows) => fired.push(rows));
    act(queue, fired);
    mock.timers.tick(400);
    queue.dispose();
    return fired;
  }

  it('redraws rows together, however often they changed', () => {
    const [one, two] = [row(), row()];
    const fired = redrawn((queue) => {
      for (let i = 0; i < 1000; i++) queue.add(i % 2 === 0 ? one : two);
    });
    assert.deepEqual(fired, [[one, two]]);
  });

  it('redraws only those suspected rows whose text changed', () => {
    const rows = [row(), row(true), row()];
    const fired = redrawn((queue) => rows.forEach((each) => queue.suspect(each)));
    assert.deepEqual(fired, [[rows[1]]]);
    assert.deepEqual(
      redrawn((queue) => queue.suspect(row())),
      [],
    );
  });

  it('redraws a change once, even if VS Code takes its time', () => {
    const stale = row(true);
    const fired = redrawn((queue) => {
      for (let tick = 0; tick < 3; tick++) {
        queue.suspect(stale);
        queue.flush();
      }
    });
    assert.deepEqual(fired, [[stale]]);
  });

  it('leaves out rows below one that is redrawn', () => {
    const agent = row();
    const session = row(false, row(false, agent));
    const fired = redrawn((queue) => [session, agent].forEach((each) => queue.add(each)));
    assert.deepEqual(fired, [[agent]]);
  });

  it('redraws at once what waits, and not again', () => {
    const [one, two] = [row(), row()];
    const all = redrawn((queue, fired) => {
      queue.add(one);
      for (let times = 0; times < 2; times++) queue.flush();
      assert.deepEqual(fired, [[one]]);
      queue.add(two);
    });
    assert.deepEqual(all, [[one], [two]]);
  });

  it('redraws the whole tree if asked to', () => {
    const fired = redrawn((queue) => [row(), undefined].forEach((each) => queue.add(each)));
    assert.deepEqual(fired, [undefined]);
  });
});

describe('revealing a row', () => {
  it('reveals it with the given options', async () => {
    const revealed: unknown[] = [];
    const view = { reveal: (...args: unknown[]) => Promise.resolve(void revealed.push(args)) };
    await revealRow(view, 'row', { select: true, focus: false });
    assert.deepEqual(revealed, [['row', { select: true, focus: false }]]);
  });

  it('does not fail if the row has just left its page', async () => {
    await revealRow({ reveal: () => Promise.reject(new Error('Data tree node not found')) }, 'row', {});
    await revealRow({ reveal: () => assert.fail('Cannot resolve tree item for element') }, 'row', {});
  });
});
