import type { Tab } from '../../explorer/page/messages';
import type { GridMenu } from '../menu/menuItem';
import { CellButtons } from './cellButtons';
import { headerHeight } from './columns';
import type { RowLook } from './rowView';
import { RowView } from './rowView';
import type { Align, ListShape } from './scaledList';
import {
  contentHeight,
  isInView,
  isScaled,
  maxOffset,
  offsetOf,
  offsetToShow,
  rowsInView,
  scrollTopOf,
} from './scaledList';

/** In CSS pixels; the style sheet has the same. */
const rowHeight = 22;
/** From the left edge of the list to a menu that a key opens. */
const menuIndent = 24;
/** Rows to load before and after those in view. */
const ahead = 30;

/** The list as its grid sees it. */
export interface GridList<Row> {
  readonly selectedIndex: number;
  /** Whether the newest rows stay in view. */
  readonly isFollowing: boolean;
  rowAt(index: number): Row | undefined;
  isMarked(row: Row): boolean;
  /** These rows are needed. */
  need(first: number, count: number): void;
  /** A row was clicked. */
  pick(index: number): void;
  /** The user scrolled; whether the newest row is in view now. */
  scrolled(isAtEnd: boolean): void;
}

/** The grid as its list sees it. */
export interface Viewport {
  readonly firstInView: number;
  /** How many rows a page has. */
  readonly pageRows: number;
  setTotal(total: number): void;
  show(index: number, align: Align): void;
  showEnd(): void;
  /** Opens the menu of the selected row, or of the first one in view. */
  openMenu(): void;
  /** Draws at the next frame. */
  draw(): void;
}

/** A virtual list: a scroll range of limited height, and a pool of rows whose size depends on the view only. */
export class Grid<Row, Cell extends string> implements Viewport {
  private readonly layer = document.createElement('div');
  private readonly spacer = document.createElement('div');
  private readonly pool: RowView<Row, Cell>[] = [];
  /** The position of the first row that is drawn. */
  private first = 0;
  private shape: ListShape = { total: 0, rowHeight, viewHeight: 0 };
  private offset = 0;
  /** The scroll position that we set ourselves, whose event is ignored. */
  private placed = 0;
  private frame = 0;
  private readonly buttons = new CellButtons();
  /** Whether the number of rows is known. */
  private isKnown = false;
  private isReady = false;
  /** Widths of the columns that fit their content, in characters. They only grow: rows must not jump while scrolling. */
  private readonly widths = new Map<Cell, number>();

  constructor(
    private readonly element: HTMLElement,
    private readonly list: GridList<Row>,
    private readonly look: RowLook<Row, Cell>,
    private readonly menu: GridMenu,
    private readonly tab: Tab,
  ) {
    this.layer.className = 'layer';
    this.layer.setAttribute('role', 'presentation');
    this.spacer.setAttribute('role', 'presentation');
    for (const column of look.fitting) element.classList.add(`no-${column}`);
    element.append(this.layer, this.spacer);
    element.addEventListener('scroll', () => this.onScroll(), { passive: true });
    element.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    this.layer.addEventListener('click', (event) => this.onClick(event));
    this.layer.addEventListener('contextmenu', (event) => this.onContextMenu(event));
    this.layer.addEventListener('pointermove', (event) => this.onPointerMove(event), { passive: true });
    this.layer.addEventListener('pointerleave', () => this.buttons.hide());
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
  }

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

  show(index: number, align: Align): void {
    this.moveTo(offsetToShow(index, this.offset, this.shape, align));
  }

  showEnd(): void {
    this.moveTo(maxOffset(this.shape));
  }

  openMenu(): void {
    const { selectedIndex } = this.list;
    const index = selectedIndex < 0 ? this.firstInView : selectedIndex;
    this.show(index, 'nearest');
    const { left, top } = this.element.getBoundingClientRect();
    const y = top + headerHeight + (index + 1) * rowHeight - this.offset;
    this.menu.open(index, { x: left + menuIndent, y, isByKey: true });
  }

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
    this.list.scrolled(this.isAtEnd);
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
    this.list.scrolled(this.isAtEnd);
  }

  private onClick({ target }: Event): void {
    const { index } = this.cellAt(target) ?? {};
    if (index !== undefined) this.list.pick(index);
  }

  private onContextMenu(event: MouseEvent): void {
    const { index, name } = this.cellAt(event.target) ?? {};
    if (index === undefined) return;
    event.preventDefault(); // the menu of VS Code
    this.menu.open(index, { x: event.clientX, y: event.clientY, isByKey: false }, name);
  }

  private onPointerMove({ target }: Event): void {
    const { index, name, cell } = this.cellAt(target) ?? {};
    if (index === undefined || name === undefined || !cell) return this.buttons.hide();
    this.buttons.show(cell, () => this.menu.filterItems(index, name));
  }

  /** The row at a place of the page, and the cell if there is one. */
  private cellAt(target: EventTarget | null) {
    if (!(target instanceof Element)) return undefined;
    const row = target.closest('[role=row]');
    const place = this.pool.findIndex(({ element }) => element === row);
    const view = this.pool[place];
    if (!view) return undefined;
    const name = this.look.cells.find((one) => view.cells[one].contains(target));
    return { index: this.firstInView + place, name, cell: name === undefined ? undefined : view.cells[name] };
  }

  /** The selected row stays in view, as when its details open below the list. */
  private resize(): void {
    const { list, offset, shape: before, viewHeight } = this;
    const isShown = before.viewHeight > 0 && viewHeight > 0;
    const wasAtEnd = this.isAtEnd && before.viewHeight > 0;
    const keepsSelected = isShown && !list.isFollowing && isInView(list.selectedIndex, offset, before);
    this.shape = { ...before, viewHeight };
    if (keepsSelected) this.show(list.selectedIndex, 'nearest');
    else this.moveTo(wasAtEnd ? maxOffset(this.shape) : offset);
  }

  private drawNow(): void {
    const { first, count, shift } = rowsInView(this.offset, this.shape);
    this.list.need(Math.max(0, first - ahead), count + 2 * ahead);
    while (this.pool.length < count) this.pool.push(new RowView(this.look));
    this.turnPool(first - this.first);
    this.first = first;
    for (const [place, view] of this.pool.entries()) {
      if (place < count) this.drawRow(view, place);
      else view.element.remove();
    }
    // Tests and benchmarks wait for this.
    if (!this.isReady && (count === 0 ? this.isKnown : this.list.rowAt(first) !== undefined)) this.announce();
    this.layer.style.transform = `translateY(${-shift}px)`;
    const active = this.list.selectedIndex;
    if (active >= first && active < first + count) {
      this.element.setAttribute('aria-activedescendant', `${this.look.prefix}-${active}`);
    } else this.element.removeAttribute('aria-activedescendant');
  }

  /** Rows that stay in view keep their elements; those that leave it are used for new ones, in the order of the document. */
  private turnPool(by: number): void {
    const { pool, layer } = this;
    if (Math.abs(by) >= pool.length) return;
    const moved = by > 0 ? pool.splice(0, by) : pool.splice(pool.length + by);
    const elements = moved.map(({ element }) => element);
    if (by > 0) {
      pool.push(...moved);
      layer.append(...elements);
    } else {
      pool.unshift(...moved);
      layer.prepend(...elements);
    }
  }

  private drawRow(view: RowView<Row, Cell>, place: number): void {
    const index = this.first + place;
    const row = this.list.rowAt(index);
    const isDrawn = view.show({
      index,
      row,
      before: index > 0 ? this.list.rowAt(index - 1) : undefined,
      isSelected: index === this.list.selectedIndex,
      isMarked: row !== undefined && this.list.isMarked(row),
    });
    if (!view.element.isConnected) this.layer.insertBefore(view.element, this.layer.children[place] ?? null);
    if (isDrawn) this.buttons.hideIn(view.element);
    if (isDrawn) for (const column of this.look.fitting) this.widen(column, view.cells[column].textContent);
  }

  private widen(column: Cell, { length }: string): void {
    if (length <= (this.widths.get(column) ?? 0)) return;
    this.widths.set(column, length);
    this.element.style.setProperty(`--${column}`, `${length}ch`);
    this.element.classList.remove(`no-${column}`);
  }

  private announce(): void {
    this.isReady = true;
    if (this.tab === 'log') document.body.dataset['ready'] = 'true';
    performance.mark(this.tab === 'log' ? 'rows' : `${this.tab} rows`);
  }
}
