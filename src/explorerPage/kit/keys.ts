import { tabs } from '../../explorer/page/messages';
import type { Explorer } from '../explorer';
import type { KeyActions } from '../list/rows';

/** Runs what a key does in the list that has the focus: single letters work only there (WCAG 2.1.4). */
export function onListKey(event: KeyboardEvent, explorer: Explorer): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.shiftKey && /^F\d/.test(event.key) ? `Shift ${event.key}` : event.key;
  const action = explorer.tab.list.keys()[key] ?? pageKeys(explorer)[key];
  if (!action) return;
  // Otherwise VS Code runs its own command for the key as well.
  event.preventDefault();
  event.stopPropagation();
  action();
}

/** Goes to the next problem or failure, wherever the focus is. */
export function onPageKey(event: KeyboardEvent, explorer: Explorer): void {
  if (event.key !== 'F8' || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const dir = event.shiftKey ? -1 : 1;
  if (event.altKey) explorer.tab.list.next(dir, 'failure');
  else explorer.nextProblem(dir);
}

/** Keys that aren't about a list. */
function pageKeys(explorer: Explorer): KeyActions {
  return {
    ...Object.fromEntries(tabs.map((tab, index) => [String(index + 1), () => explorer.setTab(tab)])),
    '/': focusFilter,
    '?': () => explorer.update({ isHelpOpen: true }),
  };
}

export function focusFilter(): void {
  document.querySelector<HTMLInputElement>('#filter')?.select();
}

/** A listener that closes what has the focus. */
export function onEscape(close: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
}
