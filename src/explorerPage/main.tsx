import { render } from 'preact';
import type { HostMessage } from '../ui/explorer/messages';
import { protocolVersion } from '../ui/explorer/messages';
import { readState } from '../ui/explorer/pageState';
import { Explorer } from './explorer';
import { focusFilter } from './keys';
import { Shell } from './shell';

/** VS Code's API for webviews, available once. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: string): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

performance.mark('start');
const vscode = acquireVsCodeApi();
let explorer: Explorer | undefined;

function kept(): string {
  const state = vscode.getState();
  return typeof state === 'string' ? state : '';
}

// Handled here so that the next keystrokes already arrive there; VS Code's key binding works if the focus is elsewhere.
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  focusFilter();
});

window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => {
  if (data.t === 'focus') {
    focusFilter();
  } else if (data.t !== 'init') {
    explorer?.receive(data);
  } else if (!explorer) {
    const { strings, run, state } = data;
    document.documentElement.lang = strings.locale;
    explorer = new Explorer({
      strings,
      run,
      state: readState(state === '' ? kept() : state),
      post: (message) => vscode.postMessage(message),
      keep: (text) => vscode.setState(text),
    });
    render(<Shell explorer={explorer} />, document.body);
  }
});
vscode.postMessage({ t: 'ready', v: protocolVersion, state: kept() });
