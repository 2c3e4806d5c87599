import type { SortDirection } from '../../query/sorting';
import { sortDirections } from '../../query/sorting';
import type { Explorer } from '../explorer';
import type { MenuItem, MenuPlace, OpenMenu } from '../menu/menuItem';
import type { Translate } from '../texts';
import type { Heading, SortedTab } from './columns';
import { columnKey } from './columns';

const directionNames: Readonly<Record<SortDirection, (t: Translate) => string>> = {
  ascending: (t) => t('Sort Ascending'),
  descending: (t) => t('Sort Descending'),
};

/** Sorts by a column, and says which columns are shown. */
export function columnMenu(
  explorer: Explorer,
  tab: SortedTab,
  headings: readonly Heading[],
  { name: by, sorts }: Heading,
  at: MenuPlace,
): OpenMenu {
  const { t, columns } = explorer.view;
  const orders = sortDirections.map((direction): MenuItem => ({
    label: directionNames[direction](t),
    isChecked: tab.sort?.by === by && tab.sort.direction === direction,
    run: () => tab.sortBy?.({ by, direction }),
  }));
  const shown = headings
    .filter(({ isFilling }) => isFilling !== true)
    .map(({ name, title }): MenuItem => {
      const isChecked = columns[columnKey(tab.name, name)]?.isShown ?? isVisible(tab, name);
      const run = (): void => explorer.changeColumn(tab.name, name, { isShown: !isChecked });
      return { label: title, isChecked, run };
    });
  const reset = { label: t('Reset Columns'), run: () => explorer.resetColumns(tab.name) };
  return { label: t('Columns'), groups: [sorts ? orders : [], shown, [reset]], at };
}

/** Some columns have no room, or no row has any text in them. */
function isVisible(tab: SortedTab, name: string): boolean {
  const heading = document.querySelector(`#panel-${tab.name} .header .${name}`);
  return heading !== null && getComputedStyle(heading).display !== 'none';
}
