import assert from 'node:assert/strict';
import { Faults } from '../../../src/explorerPage/faults';
import type { PageFault } from '../../../src/explorer/page/pageFault';
import { faultError, maxFault } from '../../../src/explorer/page/pageFault';
import { readReviewMessage } from '../../../src/share/review/messages';
import type { SentMessage } from '../../support/explorerWindow';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { opened } from '../../support/acpRows';

describe('faults of a page', () => {
  it('are reported once per place, whatever nothing else handles', () => {
    const sent: PageFault[] = [];
    const faults = new Faults((fault) => sent.push(fault));
    const listeners = new Map<string, (event: object) => void>();
    faults.listen({
      addEventListener: (type: string, listener: (event: object) => void) => void listeners.set(type, listener),
    } as never);
    const error = new Error('first');
    listeners.get('error')?.({ error: null, message: 'ResizeObserver loop completed with undelivered notifications.' });
    assert.equal(sent.length, 0);
    listeners.get('error')?.({ error, message: 'Uncaught first' });
    listeners.get('error')?.({ error: new Error('second'), message: '' });
    listeners.get('unhandledrejection')?.({ reason: 'x'.repeat(2 * maxFault) });
    faults.report('draw', error);
    faults.report('draw', error);
    const places = sent.map(({ place }) => place);
    assert.deepEqual(places, ['event', 'answer', 'draw']);
    assert.match(sent[0]?.text ?? '', /^first\nError: first\n {4}at /);
    assert.equal(sent[1]?.text.length, maxFault);
  });

  it('have the page’s name and their text as the cause', () => {
    const error = faultError({ place: 'draw', text: 'Error: x' }, 'Mine');
    assert.match(error.message, /^Agent Logs failed while drawing the page of Mine\./);
    assert.equal(error.cause, 'Error: x');
  });

  it('are read from the page of a review only if they are bounded', () => {
    const fault = { place: 'answer', text: 'Error: x' };
    assert.deepEqual(readReviewMessage({ type: 'fault', fault }), { type: 'fault', fault });
    for (const bad of [undefined, {}, { ...fault, place: 'x' }, { ...fault, text: 'x'.repeat(maxFault + 1) }]) {
      assert.equal(readReviewMessage({ type: 'fault', fault: bad }), undefined);
    }
  });
});

describeWithEsbuild('explorer: a page that can’t be drawn', () => {
  let page: ExplorerWindow;
  afterEach(() => page.close());

  it('says so, tells its host once, and can be loaded anew', async () => {
    let isBroken = false;
    const replace = (message: SentMessage): readonly SentMessage[] => [
      isBroken && message['push'] === 'run'
        ? { push: 'run', data: { ...(message['data'] as object), end: { title: 'x', buttons: null } } }
        : message,
    ];
    page = await ExplorerWindow.open(new WrittenRun(opened(0, 1)), {}, { replace });
    isBroken = true;
    page.host.renew();
    await page.until(() => page.text('.page-failure').includes('internal error'));
    assert.equal(page.find('main'), undefined);
    page.click(page.button('Try Again'));
    await page.until(() => page.errors.length > 0);
    await page.until(() => page.find('.page-failure'));
    assert.equal(page.errors.length, 1);
    assert.match((page.errors[0] as Error).message, /failed while drawing the page of Bookshop Agent/);
    isBroken = false;
    page.click(page.button('Reset and Reload'));
    await page.until(() => page.find('main'));
    assert.equal(page.find('.page-failure'), undefined);
  });

  it('says so only where it is, and leaves the other tabs', async () => {
    const replace = (message: SentMessage): readonly SentMessage[] => {
      const isBody = Object.hasOwn(Object(message['answer']) as object, 'texts');
      return [isBody ? { ...message, answer: { texts: [null], note: '' } } : message];
    };
    page = await ExplorerWindow.open(new WrittenRun(opened(0, 1)), { tab: 'wire' }, { replace });
    await page.until(() => page.rows.length > 0);
    await page.key('g');
    await page.key('Enter');
    await page.until(() => page.find('.page-failure'));
    page.click('#tab-log');
    await page.until(() => page.find('#panel-log:not([hidden])') && page.rows.length > 0);
    assert.equal(page.find('.page-failure'), undefined);
    page.click('#tab-wire');
    await page.until(() => page.find('.page-failure'));
    assert.equal(page.all('.page-failure').length, 1);
  });
});
