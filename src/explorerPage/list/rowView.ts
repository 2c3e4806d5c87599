import { share } from '../kit/styled';

/** What the rows of a list look like. */
export interface RowLook<Row, Cell extends string = string> {
  /** Of the ids of rows. */
  readonly prefix: string;
  /** The classes of the cells, in the order of the columns. */
  readonly cells: readonly Cell[];
  /** The cell that says so while the row is loading. */
  readonly main: Cell;
  /** Columns as wide as their longest text; hidden while all are empty. */
  readonly fitting: readonly Cell[];
  /** Rows are drawn again when it changes. */
  readonly stamp: unknown;
  /**
   * Fills the cells of a row, with text nodes only; returns its classes.
   * @param before the row above it, if that is loaded
   */
  draw(row: Row, cells: Readonly<Record<Cell, HTMLElement>>, element: HTMLElement, before: Row | undefined): string;
}

/** How a row is drawn at the moment. */
export interface RowPlace<Row> {
  readonly index: number;
  /** Absent while it is loading. */
  readonly row: Row | undefined;
  readonly before: Row | undefined;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
}

/** A pooled row of a list. */
export class RowView<Row, Cell extends string> {
  readonly element = document.createElement('div');
  readonly cells: Readonly<Record<Cell, HTMLElement>>;
  private drawn: readonly unknown[] = [];

  constructor(private readonly look: RowLook<Row, Cell>) {
    this.element.setAttribute('role', 'row');
    const cells = look.cells.map((name) => [name, part(`cell ${name}`)] as const);
    for (const [, cell] of cells) cell.setAttribute('role', 'gridcell');
    this.element.append(...cells.map(([, cell]) => cell));
    this.cells = Object.fromEntries(cells) as Record<Cell, HTMLElement>;
  }

  /** Draws a row, or a placeholder while it is loading, unless it is already shown; answers whether it did. */
  show({ index, row, before, isSelected, isMarked }: RowPlace<Row>): boolean {
    const drawn = [index, row, before, isSelected, isMarked, this.look.stamp];
    if (drawn.every((one, n) => one === this.drawn[n]) && this.drawn.length > 0) return false;
    this.drawn = drawn;
    const { element, cells, look } = this;
    element.id = `${look.prefix}-${index}`;
    element.setAttribute('aria-rowindex', String(index + 1));
    element.setAttribute('aria-selected', String(isSelected));
    const classes = row === undefined ? this.clear() : look.draw(row, cells, element, before);
    element.className = `row ${classes}${isSelected ? ' selected' : ''}${isMarked ? ' marked' : ''}`;
    return true;
  }

  private clear(): string {
    const { element, cells, look } = this;
    element.replaceChildren(...look.cells.map((name) => cells[name]));
    for (const name of look.cells) {
      cells[name].textContent = name === look.main ? '…' : '';
      cells[name].removeAttribute('aria-label');
    }
    return 'waiting';
  }
}

/** A part of a row. */
export function part(className: string, text = '', label?: string): HTMLElement {
  const made = document.createElement('span');
  made.className = className;
  made.textContent = text;
  if (label === undefined) return made;
  made.setAttribute('role', 'img');
  made.setAttribute('aria-label', label);
  return made;
}

/** A bar on a time axis; left and width are fractions of the whole. */
export function bar(classes: string, left: number, width: number): HTMLElement {
  const made = part(`bar-of ${classes}`);
  made.style.left = `min(${share(left)}, 100% - 2px)`;
  made.style.width = share(width);
  return made;
}
