import { render } from 'preact';
import { protocolVersion } from '../explorer/page/messages';
import { readState } from '../explorer/page/pageState';
import { Boundary, Failure } from './boundary';
import { Explorer } from './explorer';
import { Faults } from './faults';
import type { Host } from './host';
import { focusFilter } from './kit/keys';
import { readColumns } from './list/columns';
import { Shell } from './shell';
import { failureTexts, textsIn } from './texts';

/** Where the page keeps its state for a reload. */
export interface Keeper {
  readonly kept: string;
  readonly keep: (state: string) => void;
}

/**
 * Draws the page once its host is ready, or says that it can't be drawn.
 * @param into what it is drawn in
 */
export async function startPage(host: Host, keeper: Keeper, into: HTMLElement): Promise<void> {
  const faults = new Faults((fault) => void host.call('page.fault', fault).catch(() => undefined));
  faults.listen(window);
  try {
    await start(host, keeper, into, faults);
  } catch (error) {
    faults.report('draw', error);
    const restart = (): void => restartPage(host, keeper);
    render(<Failure texts={failureTexts(textsIn('en', {}).t)} restart={restart} />, into);
  }
}

/** Loads the page anew, without what it remembers: that may be why it can't be drawn. */
function restartPage(host: Host, { keep }: Keeper): void {
  keep('');
  void host.call('page.restart', {}).catch(() => undefined);
}

async function start(host: Host, keeper: Keeper, into: HTMLElement, faults: Faults): Promise<void> {
  const { kept, keep } = keeper;
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
  const texts = textsIn(locale, translations);
  const explorer = new Explorer({
    texts,
    run,
    state: readState(state === '' ? kept : state),
    columns: readColumns(columns),
    first,
    host,
    focusFilter,
    keep,
  });
  render(
    <Boundary faults={faults} texts={failureTexts(texts.t)} restart={() => restartPage(host, keeper)}>
      <Shell explorer={explorer} faults={faults} />
    </Boundary>,
    into,
  );
  explorer.start();
}
