import { render } from 'preact';
import type { ReviewMessage, ReviewView } from '../../share/review/messages';
import { Boundary } from '../boundary';
import { Faults } from '../faults';
import { Review } from './review';

/** VS Code's API for webviews, available once. */
interface VsCodeApi {
  postMessage(message: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const vscode = acquireVsCodeApi();
const post = (message: ReviewMessage): void => vscode.postMessage(message);

const faults = new Faults((fault) => post({ type: 'fault', fault }));
faults.listen(window);
window.addEventListener('message', ({ data }: MessageEvent<ReviewView>) => {
  document.documentElement.lang = data.locale;
  document.title = data.title;
  render(
    <Boundary faults={faults} texts={data.failure} restart={() => post({ type: 'cancel' })}>
      <Review view={data} post={post} />
    </Boundary>,
    document.body,
  );
  if (data.review && !data.isBusy) document.body.dataset['ready'] = 'true';
});
post({ type: 'ready' });
