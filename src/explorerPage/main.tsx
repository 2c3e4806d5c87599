import { render } from 'preact';
import type { HostMessage } from '../runs/explorer/page/messages';
import { protocolVersion } from '../runs/explorer/page/messages';
import { readState } from '../runs/explorer/page/pageState';
import { Explorer } from './explorer';
import { Host } from './host';
import { focusFilter } from './keys';
import { readColumns } from './list/columns';
import { Shell } from './shell';
import { textsIn } from './texts';

/** VS Code's API for webviews, available once. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: string): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

performance.mark('start');
const vscode = acquireVsCodeApi();
const host = new Host((message) => vscode.postMessage(message));
const state = vscode.getState();
const kept = typeof state === 'string' ? state : '';

// Handled here so that the next keystrokes already arrive there; VS Code's key binding works if the focus is elsewhere.
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  focusFilter();
});
window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => host.receive(data));
void host.call('page.ready', { v: protocolVersion, state: kept }).then((first) => {
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
    keep: (text) => vscode.setState(text),
  });
  render(<Shell explorer={explorer} />, document.body);
  explorer.start();
});
