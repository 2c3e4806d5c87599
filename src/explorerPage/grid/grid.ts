import type { Row } from '../../ui/explorer/messages';
import type { Translate } from '../texts';
import { headerHeight } from './listHeader';
import type { RowCache } from './rowCache';
import { RowView } from './rowView';
import type { Align, ListShape } from './scaledList';
import { contentHeight, isScaled, maxOffset, offsetOf, offsetToShow, rowsInView, scrollTopOf } from './scaledList';

/** In CSS pixels; the style sheet has the same. */
const rowHeight = 22;
/** Rows to load before and after those in view. */
const ahead = 30;

export interface GridEvents {
  /** These rows are needed. */
  need(first: number, count: number): void;
  /** A row was clicked. */
  pick(index: number): void;
  /** The person scrolled; whether the newest row is in view now. */
  scrolled(isAtEnd: boolean): void;
}

/** Decorations of rows. */
export interface GridMarks {
  readonly selected: number;
  /** Whether to mark stretches of time without records; not if the filter picks single ones. */
  readonly hasGaps: boolean;
  isMarked(seq: number): boolean;
}

/** A virtual list: a scroll range of limited height, and a pool of rows whose size depends on the view only. */
export class Grid {
  private readonly layer = document.createElement('div');
  private readonly spacer = document.createElement('div');
  private readonly pool: RowView[] = [];
  private shape: ListShape = { total: 0, rowHeight, viewHeight: 0 };
  private offset = 0;
  /** The scroll position that we set ourselves, whose event is ignored. */
  private placed = 0;
  private frame = 0;
  /** Whether the number of rows is known. */
  private isKnown = false;
  private isReady = false;
  /** Widths of the columns that fit their content, in characters. They only grow: rows must not jump while scrolling. */
  private readonly widths = { session: 0, logger: 0 };
  private marks: GridMarks = { selected: -1, hasGaps: false, isMarked: () => false };

  constructor(
    private readonly element: HTMLElement,
    private readonly cache: RowCache,
    private readonly t: Translate,
    private readonly events: GridEvents,
  ) {
    this.layer.className = 'layer';
    this.layer.setAttribute('role', 'presentation');
    this.spacer.setAttribute('role', 'presentation');
    element.append(this.layer, this.spacer);
    element.addEventListener('scroll', () => this.onScroll(), { passive: true });
    element.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    this.layer.addEventListener('click', (event) => this.onClick(event));
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
  }

  /** How many rows fit. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.shape.viewHeight / rowHeight) - 1);
  }

  get firstInView(): number {
    return rowsInView(this.offset, this.shape).first;
  }

  /** Without the headings. */
  private get viewHeight(): number {
    return Math.max(0, this.element.clientHeight - headerHeight);
  }

  private get isAtEnd(): boolean {
    return this.offset >= maxOffset(this.shape) - rowHeight / 2;
  }

  setTotal(total: number): void {
    this.isKnown = true;
    if (total === this.shape.total) return this.draw();
    this.shape = { ...this.shape, total };
    this.element.setAttribute('aria-rowcount', String(total));
    this.spacer.style.height = `${contentHeight(this.shape)}px`;
    this.moveTo(Math.min(this.offset, maxOffset(this.shape)));
  }

  setMarks(marks: GridMarks): void {
    this.marks = marks;
    this.draw();
  }

  show(index: number, align: Align = 'nearest'): void {
    this.moveTo(offsetToShow(index, this.offset, this.shape, align));
  }

  showEnd(): void {
    this.moveTo(maxOffset(this.shape));
  }

  /** Draws at the next frame. */
  draw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.drawNow();
    });
  }

  private moveTo(offset: number): void {
    this.offset = Math.max(0, Math.min(offset, maxOffset(this.shape)));
    this.element.scrollTop = scrollTopOf(this.offset, this.shape);
    this.placed = this.element.scrollTop; // rounded by the browser
    this.draw();
  }

  private onScroll(): void {
    // A view that grows moves the scrollbar, too.
    if (this.viewHeight !== this.shape.viewHeight) return this.resize();
    if (Math.abs(this.element.scrollTop - this.placed) < 1) return;
    this.placed = this.element.scrollTop;
    this.offset = offsetOf(this.element.scrollTop, this.shape);
    this.draw();
    this.events.scrolled(this.isAtEnd);
  }

  /** With a scaled scroll range, the browser would skip thousands of rows. */
  private onWheel(event: WheelEvent): void {
    if (!isScaled(this.shape) || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const unit =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE
        ? rowHeight
        : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
          ? this.shape.viewHeight
          : 1;
    this.moveTo(this.offset + event.deltaY * unit);
    this.events.scrolled(this.isAtEnd);
  }

  private onClick(event: Event): void {
    const row = event.target instanceof Element ? event.target.closest('[role=row]') : null;
    const index = this.pool.findIndex(({ element }) => element === row);
    if (index >= 0) this.events.pick(rowsInView(this.offset, this.shape).first + index);
  }

  private resize(): void {
    const wasAtEnd = this.isAtEnd && this.shape.viewHeight > 0;
    this.shape = { ...this.shape, viewHeight: this.viewHeight };
    this.moveTo(wasAtEnd ? maxOffset(this.shape) : this.offset);
  }

  private drawNow(): void {
    const { first, count, shift } = rowsInView(this.offset, this.shape);
    this.events.need(Math.max(0, first - ahead), count + 2 * ahead);
    while (this.pool.length < count) {
      const view = new RowView(this.t);
      this.pool.push(view);
      this.layer.append(view.element);
    }
    for (const [place, view] of this.pool.entries()) {
      view.element.hidden = place >= count;
      if (place >= count) view.element.removeAttribute('id');
      else this.drawRow(view, first + place);
    }
    // Tests and benchmarks wait for this.
    if (!this.isReady && (count === 0 ? this.isKnown : this.cache.get(first) !== undefined)) this.announce();
    this.layer.style.transform = `translateY(${-shift}px)`;
    const active = this.marks.selected;
    if (active >= first && active < first + count) this.element.setAttribute('aria-activedescendant', `row-${active}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  private widen(column: 'session' | 'logger', { length }: string): void {
    if (length <= this.widths[column]) return;
    this.widths[column] = length;
    this.element.style.setProperty(`--${column}`, `${length}ch`);
    this.element.classList.add(`has-${column}`);
  }

  private announce(): void {
    this.isReady = true;
    document.body.dataset['ready'] = 'true';
    performance.mark('rows');
  }

  private drawRow(view: RowView, index: number): void {
    const row = this.cache.get(index);
    const before: Row | undefined = index > 0 ? this.cache.get(index - 1) : undefined;
    if (row) this.widen('session', row.session);
    if (row) this.widen('logger', row.logger);
    view.show(index, row, {
      isSelected: index === this.marks.selected,
      isMarked: row !== undefined && this.marks.isMarked(row.seq),
      gap: row && before && this.marks.hasGaps ? row.at - before.at : 0,
    });
  }
}
