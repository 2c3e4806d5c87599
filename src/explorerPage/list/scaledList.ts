/** A list of rows of one height, in CSS pixels. */
export interface ListShape {
  readonly total: number;
  readonly rowHeight: number;
  readonly viewHeight: number;
}

/** Chromium can’t lay out more than about 33.5 million device pixels; with the headings, this fits up to a device pixel ratio of 4. */
export const maxContentHeight = 7_999_900;

/** Height of the element that defines the scroll range. */
export function contentHeight({ total, rowHeight }: ListShape): number {
  return Math.min(total * rowHeight, maxContentHeight);
}

/** The offset at which the last row is at the bottom. An offset is a distance from the first row, in pixels as if there were no limit. */
export function maxOffset({ total, rowHeight, viewHeight }: ListShape): number {
  return Math.max(0, total * rowHeight - viewHeight);
}

/** Whether the scroll range is shorter than the rows. */
export function isScaled(shape: ListShape): boolean {
  return shape.total * shape.rowHeight > maxContentHeight;
}

export function offsetOf(scrollTop: number, shape: ListShape): number {
  if (!isScaled(shape)) return clamp(scrollTop, maxOffset(shape));
  const range = scrollRange(shape);
  return range <= 0 ? 0 : clamp((scrollTop / range) * maxOffset(shape), maxOffset(shape));
}

export function scrollTopOf(offset: number, shape: ListShape): number {
  if (!isScaled(shape)) return clamp(offset, maxOffset(shape));
  const most = maxOffset(shape);
  return most === 0 ? 0 : clamp((offset / most) * scrollRange(shape), scrollRange(shape));
}

/** The rows in view, and how many pixels of the first are above it. */
export function rowsInView(
  offset: number,
  { total, rowHeight, viewHeight }: ListShape,
): { readonly first: number; readonly count: number; readonly shift: number } {
  const first = Math.min(Math.floor(offset / rowHeight), Math.max(0, total - 1));
  const shift = offset - first * rowHeight;
  const count = Math.max(0, Math.min(total - first, Math.ceil((viewHeight + shift) / rowHeight)));
  return { first, count, shift };
}

/** Whether all of a row is in view. */
export function isInView(index: number, offset: number, { rowHeight, viewHeight }: ListShape): boolean {
  const top = index * rowHeight;
  return top >= offset && top + rowHeight <= offset + viewHeight;
}

/** Where a row that isn't in view goes; `top` moves it there in any case. */
export type Align = 'nearest' | 'center' | 'top';

/** The nearest offset with a row in view, or one with the row in the middle or at the top. */
export function offsetToShow(index: number, offset: number, shape: ListShape, align: Align): number {
  const top = index * shape.rowHeight;
  if (align === 'top') return clamp(top, maxOffset(shape));
  const bottom = top + shape.rowHeight;
  if (align === 'center') {
    return isInView(index, offset, shape)
      ? offset
      : clamp(top - (shape.viewHeight - shape.rowHeight) / 2, maxOffset(shape));
  }
  if (top < offset) return clamp(top, maxOffset(shape));
  return bottom > offset + shape.viewHeight ? clamp(bottom - shape.viewHeight, maxOffset(shape)) : offset;
}

/** Maximum scroll position. */
function scrollRange(shape: ListShape): number {
  return Math.max(0, contentHeight(shape) - shape.viewHeight);
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
