import { iconElement } from '../kit/icons';
import type { MenuItem } from '../menu/menuItem';
import { part } from './rowView';

/** Of the two buttons together, in CSS pixels. */
const width = 40;

/** The buttons on the cell under the pointer: only rows with its value, or none of them. Keys have the menu instead. */
export class CellButtons {
  private readonly element = part('cell-buttons');
  private cell: HTMLElement | undefined;

  constructor() {
    this.element.addEventListener('mousedown', (event) => event.preventDefault()); // the focus stays
    for (const type of ['click', 'dblclick'] as const) {
      this.element.addEventListener(type, (event) => event.stopPropagation());
    }
  }

  /** @param items asked for only if the cell doesn't have them yet; none if there is nothing to filter by */
  show(cell: HTMLElement, items: () => readonly MenuItem[]): void {
    if (cell === this.cell) return;
    this.hide();
    this.cell = cell;
    const [only, except] = items();
    if (!only || !except) return;
    this.element.replaceChildren(buttonOf(only, 'filter'), buttonOf(except, 'circleSlash'));
    // Beside a cell that is too narrow for them and a part of its text.
    const right = cell.offsetLeft + cell.offsetWidth;
    this.element.style.left = `${cell.offsetWidth < 2 * width ? right : right - width}px`;
    cell.append(this.element);
  }

  hide(): void {
    this.element.remove();
    this.cell = undefined;
  }

  /** Call when a row was drawn again: it may be another one. */
  hideIn(row: HTMLElement): void {
    if (this.cell && row.contains(this.cell)) this.hide();
  }
}

function buttonOf(item: MenuItem, icon: 'filter' | 'circleSlash'): HTMLElement {
  const { label, detail } = item;
  const button = document.createElement('button');
  button.type = 'button';
  button.tabIndex = -1;
  button.className = 'icon-button';
  button.title = `${label}: ${detail}`;
  button.setAttribute('aria-label', label);
  button.append(iconElement(icon));
  button.addEventListener('click', () => item.run());
  return button;
}
