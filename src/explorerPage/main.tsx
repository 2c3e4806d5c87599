import type { HostMessage } from '../explorer/page/messages';
import { Host } from './host';
import { startPage } from './start';

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

window.addEventListener('message', ({ data }: MessageEvent<HostMessage>) => host.receive(data));
const keeper = { kept: typeof state === 'string' ? state : '', keep: (text: string) => vscode.setState(text) };
void startPage(host, keeper, document.body);
