import type { NextWhat } from '../ui/explorer/messages';
import type { Page } from './page';
import type { KeyActions } from './rowMoves';

/** A list beside the log's, with a filter of its own. */
export interface SideList {
  readonly tab: 'wire' | 'turns';
  /** The filter. */
  readonly q: string;
  setFilter(q: string): void;
  /** Selects the next problem, or the next row of another session. */
  next(dir: 1 | -1, what: NextWhat): void;
}

/** What the keys of the log that aren't about its rows do in another list. */
export function sideListKeys(page: Page, list: SideList): KeyActions {
  return {
    F8: () => list.next(1, 'problem'),
    'Shift F8': () => list.next(-1, 'problem'),
    ']': () => list.next(1, 'session'),
    '[': () => list.next(-1, 'session'),
    ' ': () => page.setFollow(!page.view.follow),
    c: () => toggleContext(page, list),
  };
}

/** Sets the filter aside to show what is around the selected row, or goes back to it. */
export function toggleContext(page: Page, list: SideList): void {
  const { [list.tab]: before, ...rest } = page.view.setAside;
  if (before === undefined && list.q === '') return;
  page.update({ setAside: before === undefined ? { ...rest, [list.tab]: list.q } : rest });
  list.setFilter(before ?? '');
}
