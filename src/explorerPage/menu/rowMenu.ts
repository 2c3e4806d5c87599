import { exceptValue, onlyValue } from '../filter/queryText';
import type { List } from '../list/list';
import type { RowValue } from '../list/rows';
import type { Page } from '../page';
import { filterItems } from './filterItems';
import type { GridMenu, MenuItem, MenuPlace } from './menuItem';

/** What can be done with a row of a list, and with its cells. */
export class RowMenu<Row> implements GridMenu {
  constructor(
    private readonly page: Page,
    private readonly list: List<Row>,
  ) {}

  /** Filters by what a cell shows; nothing if the filter doesn't know it. */
  filterItems(index: number, cell: string): readonly MenuItem[] {
    const row = this.list.rowAt(index);
    const value = row === undefined ? undefined : this.list.rows.values(row).find((one) => one.cell === cell);
    return value ? this.itemsOf(value) : [];
  }

  /**
   * Selects a row, and opens its menu.
   * @param cell the cell that was pressed, whose value comes first
   */
  open(index: number, at: MenuPlace, cell?: string): void {
    const { list, page } = this;
    const row = list.rowAt(index);
    if (row === undefined) return;
    list.selectAt(index);
    const { t } = page.view;
    const values = list.rows.values(row);
    const first = values.filter((value) => value.cell === cell && cell !== undefined);
    const others = values.filter((value) => !first.includes(value));
    const around = { label: t('Show the records around this one'), key: 'c', run: () => list.toggleContext() };
    const groups = [
      ...[first, others].map((some) => some.flatMap((value) => this.itemsOf(value))),
      ...list.rows.commands(row),
      [...(list.state.q === '' ? [] : [around]), { label: t('Bookmark'), key: 'b', run: () => list.toggleMark() }],
    ];
    page.update({ menu: { label: t('Actions'), groups, at } });
  }

  private itemsOf(value: RowValue): readonly MenuItem[] {
    return filterItems(this.page.view.t, value, (how) => {
      const change = how === 'only' ? onlyValue : exceptValue;
      this.list.setFilter(change(this.list.state.q, value.key, value.value));
    });
  }
}
