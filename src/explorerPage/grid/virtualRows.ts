import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Tab } from '../../ui/explorer/messages';
import { headerHeight } from './listHeader';
import type { ListShape } from './scaledList';
import { contentHeight, maxOffset, offsetOf, offsetToShow, rowsInView, scrollTopOf } from './scaledList';

/** A scrolling element of which only the rows in view are in the page. */
export interface VirtualRows {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly first: number;
  readonly count: number;
  /** Pixels of the first row that are above the view. */
  readonly shift: number;
  /** Height of all rows, in CSS pixels. */
  readonly height: number;
  /** How many rows a page has. */
  readonly pageRows: number;
  readonly onScroll: () => void;
}

export interface VirtualRowsOptions {
  readonly total: number;
  /** In CSS pixels. */
  readonly rowHeight: number;
  /** The row to keep in view; -1 for none. */
  readonly index: number;
  /** Whether the newest row stays in view as more come, once it is. */
  readonly sticks?: boolean;
  /** The user scrolled away from the newest row. */
  readonly onLeaveEnd?: () => void;
  /** How the rows are sorted. Another order is shown from its beginning. */
  readonly order?: string;
}

export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { total, rowHeight, index, sticks = false, order } = options;
  const ref = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const viewHeight = useHeight(ref);
  const shape: ListShape = { total, rowHeight, viewHeight };
  const isAtEnd = useRef(sticks);
  const scrollTo = (place: number): void => {
    if (ref.current) ref.current.scrollTop = scrollTopOf(place, shape);
  };
  useLayoutEffect(() => {
    isAtEnd.current = sticks;
    scrollTo(sticks ? maxOffset(shape) : 0);
  }, [order]);
  useLayoutEffect(() => {
    if (index < 0 || viewHeight === 0) return;
    const shown = offsetToShow(index, offset, shape, 'nearest');
    if (shown !== offset) scrollTo(shown);
  }, [index, viewHeight]);
  useLayoutEffect(() => {
    if (!sticks) return;
    isAtEnd.current = true;
    scrollTo(maxOffset(shape));
  }, [sticks]);
  useLayoutEffect(() => {
    if (sticks && isAtEnd.current && index < 0) scrollTo(maxOffset(shape));
  }, [total, viewHeight]);
  const { first, count, shift } = rowsInView(Math.min(offset, maxOffset(shape)), shape);
  return {
    ref,
    first,
    count,
    shift,
    height: contentHeight(shape),
    pageRows: Math.max(1, Math.floor(viewHeight / rowHeight) - 1),
    onScroll: () => {
      const scrolled = offsetOf(ref.current?.scrollTop ?? 0, shape);
      const wasAtEnd = isAtEnd.current;
      isAtEnd.current = scrolled >= maxOffset(shape) - rowHeight;
      if (sticks && wasAtEnd && !isAtEnd.current) options.onLeaveEnd?.();
      setOffset(scrolled);
    },
  };
}

/** Marks when the first rows of a tab are drawn. Benchmarks read it. */
export function useRowsMark(tab: Tab, areDrawn: boolean): void {
  useLayoutEffect(() => {
    if (areDrawn) performance.mark(`${tab} rows`);
  }, [areDrawn]);
}

/** Of an element without its headings, in CSS pixels; 0 before it is laid out. */
function useHeight(ref: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setHeight(Math.max(0, element.clientHeight - headerHeight)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return height;
}
