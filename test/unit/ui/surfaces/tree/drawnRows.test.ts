import assert from 'node:assert/strict';
import { DrawnRows } from '../../../../../src/ui/surfaces/tree/drawnRows';

describe('drawn rows', () => {
  interface FakeRow {
    below: FakeRow[];
    children(): FakeRow[];
  }
  const row = (...below: FakeRow[]): FakeRow => ({
    below,
    children() {
      return this.below;
    },
  });

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

  it('redraws the whole tree if a root gets its first row, or loses its last', () => {
    const [empty, past] = [row(), row(row())];
    const rows = drawn(empty, past);
    empty.below = [row()];
    assert.equal(rows.changed([empty, past]), undefined);
    [empty.below, past.below] = [[], []];
    assert.equal(rows.changed([empty, past]), undefined);
  });
});
