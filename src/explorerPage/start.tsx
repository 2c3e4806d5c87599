import { render } from 'preact';
import { protocolVersion } from '../explorer/page/messages';
import { readState } from '../explorer/page/pageState';
import { Explorer } from './explorer';
import type { Host } from './host';
import { focusFilter } from './kit/keys';
import { readColumns } from './list/columns';
import { Shell } from './shell';
import { textsIn } from './texts';

/** Where the page keeps its state for a reload. */
export interface Keeper {
  readonly kept: string;
  readonly keep: (state: string) => void;
}

/**
 * Draws the page once its host is ready.
 * @param into what it is drawn in
 */
export async function startPage(host: Host, { kept, keep }: Keeper, into: HTMLElement): Promise<void> {
  // Handled here so that the next keystrokes already arrive there; VS Code's key binding works if the focus is elsewhere.
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    focusFilter();
  });
  const first = await host.call('page.ready', { v: protocolVersion, state: kept });
  if (!first) return;
  const { locale, translations, run, state, columns } = first;
  document.documentElement.lang = locale;
  const explorer = new Explorer({
    texts: textsIn(locale, translations),
    run,
    state: readState(state === '' ? kept : state),
    columns: readColumns(columns),
    first,
    host,
    focusFilter,
    keep,
  });
  render(<Shell explorer={explorer} />, into);
  explorer.start();
}
