import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ListShape } from '../../../src/explorerPage/list/scaledList';
import {
  contentHeight,
  isScaled,
  maxContentHeight,
  maxOffset,
  offsetOf,
  offsetToShow,
  rowsInView,
  scrollTopOf,
} from '../../../src/explorerPage/list/scaledList';
import { holds } from '../../support/property';

const shapes = fc.record({
  total: fc.integer({ min: 0, max: 5_000_000 }),
  rowHeight: fc.constant(22),
  viewHeight: fc.integer({ min: 0, max: 2000 }),
});

describe('scaled list', () => {
  holds(
    'keeps the content below the height limit',
    300,
    fc.property(shapes, (shape) => {
      assert.ok(contentHeight(shape) <= maxContentHeight);
      assert.equal(isScaled(shape), shape.total * 22 > maxContentHeight);
    }),
  );

  holds(
    'shows the last row when the scrollbar is at its end, and the first at its beginning',
    300,
    fc.property(shapes, (shape) => {
      fc.pre(shape.total > 0 && shape.viewHeight >= 22);
      const end = offsetOf(Math.max(0, contentHeight(shape) - shape.viewHeight), shape);
      const { first, count } = rowsInView(end, shape);
      assert.equal(first + count, shape.total);
      assert.deepEqual(rowsInView(offsetOf(0, shape), shape).first, 0);
    }),
  );

  holds(
    'maps a place of the scrollbar to an offset and back',
    300,
    fc.property(shapes, fc.double({ min: 0, max: 1, noNaN: true }), (shape, share) => {
      const offset = share * maxOffset(shape);
      assert.ok(Math.abs(offsetOf(scrollTopOf(offset, shape), shape) - offset) < 0.01);
    }),
  );

  holds(
    'has a row in view after showing it',
    300,
    fc.property(
      shapes,
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom('nearest' as const, 'center' as const),
      (shape, at, share, align) => {
        fc.pre(shape.total > 0 && shape.viewHeight >= 44);
        const index = at % shape.total;
        const offset = offsetToShow(index, share * maxOffset(shape), shape, align);
        assert.ok(index * 22 >= offset - 0.001 && (index + 1) * 22 <= offset + shape.viewHeight + 0.001);
        assert.ok(offset >= 0 && offset <= maxOffset(shape));
      },
    ),
  );

  it('moves a row to the top even if it is in view', () => {
    const shape: ListShape = { total: 100, rowHeight: 22, viewHeight: 220 };
    assert.equal(offsetToShow(5, 0, shape, 'top'), 110);
    assert.equal(offsetToShow(99, 0, shape, 'top'), 100 * 22 - 220);
  });

  it('draws no more rows than fit', () => {
    const shape: ListShape = { total: 1_000_000, rowHeight: 22, viewHeight: 660 };
    assert.deepEqual(rowsInView(11, shape), { first: 0, count: 31, shift: 11 });
    assert.deepEqual(rowsInView(0, { ...shape, total: 3 }), { first: 0, count: 3, shift: 0 });
    assert.deepEqual(rowsInView(0, { ...shape, total: 0 }).count, 0);
  });
});
