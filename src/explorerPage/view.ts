import type { Completion } from '../query/completion';
import type { RunInfo, Tab } from '../explorer/page/messages';
import type { PageState } from '../explorer/page/pageState';
import type { Columns } from './list/columns';
import type { OpenMenu } from './menu/menuItem';
import type { Texts } from './texts';

/** What the page shows, whatever the tab. */
export interface View extends Texts {
  readonly run: RunInfo;
  readonly tab: Tab;
  /** Whether the newest rows stay in view. */
  readonly follow: boolean;
  readonly completions: { readonly text: string; readonly items: readonly Completion[] } | undefined;
  readonly split: number;
  /** What the user has changed about the columns. */
  readonly columns: Columns;
  readonly isHelpOpen: boolean;
  /** The context menu, while it is open. */
  readonly menu: OpenMenu | undefined;
  /** Why the host couldn't answer; '' if it did. */
  readonly failure: string;
  /** Announced by screen readers. */
  readonly said: string;
}

/** The view of a page that was just opened or restored. */
export function firstView(texts: Texts, run: RunInfo, { tab, follow, seq, split }: PageState, columns: Columns): View {
  return {
    ...texts,
    run,
    tab,
    follow: follow && seq === undefined && !usesScreenReader(),
    completions: undefined,
    split,
    columns,
    isHelpOpen: false,
    menu: undefined,
    failure: '',
    said: '',
  };
}

/** A screen reader would announce every new row. */
function usesScreenReader(): boolean {
  return document.body.classList.contains('vscode-using-screen-reader');
}
