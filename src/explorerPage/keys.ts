import { tabs } from '../ui/explorer/messages';
import type { Explorer } from './explorer';

/** Keys of the grid: single letters work only while it has the focus (WCAG 2.1.4). */
export function onKey(event: KeyboardEvent, explorer: Explorer): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = event.key === 'F8' ? problemKey(event, explorer) : actionOf(event.key, explorer);
  if (!action && !pageKey(event.key, explorer)) return;
  // Otherwise VS Code runs its own command for the key as well.
  event.preventDefault();
  event.stopPropagation();
  action?.();
}

function problemKey({ shiftKey }: KeyboardEvent, explorer: Explorer): () => void {
  return () => explorer.cursor.goToProblem(shiftKey ? -1 : 1);
}

function actionOf(key: string, explorer: Explorer): (() => void) | undefined {
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return () => explorer.cursor.move(1);
    case 'k':
    case 'ArrowUp':
      return () => explorer.cursor.move(-1);
    case 'PageDown':
      return () => explorer.cursor.movePage(1);
    case 'PageUp':
      return () => explorer.cursor.movePage(-1);
    case 'g':
    case 'Home':
      return () => explorer.cursor.moveTo('first');
    case 'G':
    case 'End':
      return () => explorer.cursor.moveTo('last');
    case 'Enter':
      return () => explorer.cursor.openDetails();
    case 'Escape':
      return () => explorer.escape();
    default:
      return letterOf(key, explorer);
  }
}

/** Runs what a key of a tab's list, or else one of every tab, does. */
export function onListKey(event: KeyboardEvent, explorer: Explorer, moves: Readonly<Record<string, () => void>>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const move = moves[event.key];
  if (!move && !pageKey(event.key, explorer)) return;
  event.preventDefault();
  event.stopPropagation();
  move?.();
}

/** Keys that every tab has. Returns whether it is one. */
function pageKey(key: string, explorer: Explorer): boolean {
  switch (key) {
    case '1':
    case '2':
    case '3':
      explorer.setTab(tabs[Number(key) - 1] ?? 'log');
      return true;
    case '/':
      document.querySelector<HTMLInputElement>('#filter')?.select();
      return true;
    case '?':
      explorer.update({ isHelpOpen: true });
      return true;
    default:
      return false;
  }
}

function letterOf(key: string, explorer: Explorer): (() => void) | undefined {
  switch (key) {
    case ' ':
      return () => explorer.setFollow(!explorer.view.follow);
    case 'c':
      return () => explorer.cursor.toggleContext();
    case 'b':
      return () => explorer.bookmarks.toggle();
    case 'B':
      return () => explorer.bookmarks.next();
    case 'y':
      return () => explorer.act('copyMessage');
    case ']':
      return () => explorer.cursor.next(1, 'session');
    case '[':
      return () => explorer.cursor.next(-1, 'session');
    default:
      return undefined;
  }
}
