import { render } from 'preact';
import type { ReviewMessage, ReviewView } from '../../share/review/messages';
import { Review } from './review';

/** VS Code's API for webviews, available once. */
interface VsCodeApi {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const vscode = acquireVsCodeApi();
const post = (message: ReviewMessage): void => vscode.postMessage(message);

window.addEventListener('message', ({ data }: MessageEvent<ReviewView>) => {
  document.documentElement.lang = data.locale;
  document.title = data.title;
  render(<Review view={data} post={post} />, document.body);
  if (data.review && !data.isBusy) document.body.dataset['ready'] = 'true';
});
post({ type: 'ready' });
