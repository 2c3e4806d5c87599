import assert from 'node:assert/strict';
import type { WireEvent } from '../../../src/wire/wireEvent';
import type { LogResult } from '../../../src/explorer/page/messages';
import type { SentMessage } from '../../support/explorerWindow';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { alpha, beta, opened, prompted } from '../../support/acpRows';
import { line } from '../../support/wireRows';

/** A turn that fails. */
function turn(ms: number, id: number, sessionId: string, text: string): readonly WireEvent[] {
  const error = { code: -32603, message: `${text} failed` };
  return [prompted(ms, id, text, sessionId), line(ms + 5, 'a2c', { id, error })];
}

const events = [...opened(0, 1), ...opened(2, 2, beta), ...turn(10, 3, alpha, 'Alpha'), ...turn(20, 4, beta, 'Beta')];

/** A search in two steps. */
function inTwo(message: SentMessage): readonly SentMessage[] {
  if (message['push'] !== 'result') return [message];
  const result = message['data'] as LogResult;
  const partial = { ...result, total: Math.min(1, result.total), newest: undefined, done: false };
  return [{ ...message, data: partial }, message];
}

/** What is special about each list: a filter that leaves the rows about Beta, and what the first failure says. */
const lists = [
  { tab: 'log', some: 'Beta', failed: /Alpha failed/ },
  { tab: 'wire', some: 'session:00000002 method:session/prompt', failed: /session\/prompt/ },
  { tab: 'turns', some: 'Beta', failed: /Alpha/ },
] as const;

describeWithEsbuild('explorer: every list', () => {
  let page: ExplorerWindow;
  let run: WrittenRun;
  afterEach(() => page.close());

  async function open(tab: 'log' | 'wire' | 'turns'): Promise<void> {
    run = new WrittenRun(events);
    page = await ExplorerWindow.open(run, { tab });
    await page.until(() => page.rows.length > 2);
    await page.settled();
  }
  async function openAtFirst(tab: 'log' | 'wire' | 'turns'): Promise<void> {
    await open(tab);
    await page.key('g');
  }
  const details = (): string => page.text('[role=tabpanel]:not([hidden]) [role=region]');
  const isFollowing = (): boolean => page.button('Follow').getAttribute('aria-pressed') === 'true';

  /** The number of rows that the page says are new. */
  const news = (): number => Number(/^([\d,]+) new$/m.exec(page.texts('button').join('\n'))?.[1] ?? 0);

  /** The number of them once there are some. */
  async function newsCome(): Promise<number> {
    run.write(...turn(100, 9, alpha, 'Gamma'));
    await page.until(() => news() > 0);
    return news();
  }

  it('counts what is new in the log after the page was hidden', async () => {
    await openAtFirst('log');
    const before = await newsCome();
    await new Promise((resolve) => setTimeout(resolve, 300)); // the page saves its state
    run.write(...turn(200, 10, alpha, 'Delta'));
    page.load();
    await page.until(() => news() > before);
    await page.key(' ');
    await page.until(() => isFollowing() && news() === 0);
  });

  it('takes no match of a search that goes on for new', async () => {
    run = new WrittenRun(events);
    page = await ExplorerWindow.open(run, { tab: 'log' }, { replace: inTwo });
    await page.until(() => page.rows.length > 2);
    await page.key('g');
    const before = page.rows.length;
    await page.type('Alpha');
    await page.until(() => page.rows.length < before);
    assert.deepEqual([isFollowing(), news()], [false, 0]);
  });

  it('shows the newest rows of a tab that is followed', async () => {
    await open('log');
    assert.ok(isFollowing());
    page.click('#tab-wire');
    await page.settled();
    for (let n = 0; n < 40; n++) run.write(...turn(100 + 10 * n, 9 + n, alpha, `Gamma ${n}`));
    await page.settled();
    page.click('#tab-log');
    await page.until(() => page.rows.at(-1)?.includes('Gamma 39'));
  });

  for (const { tab, some, failed } of lists) {
    it(`moves, opens and closes the details by keys in ${tab}`, async () => {
      await openAtFirst(tab);
      await page.until(() => page.activeRow === page.rows[0]);
      await page.key('j');
      await page.until(() => page.activeRow === page.rows[1]);
      await page.key('k');
      await page.key('End');
      await page.until(() => page.activeRow === page.rows.at(-1));
      if (details() !== '') await page.key('Escape');
      await page.until(() => details() === '');
      await page.key('Enter');
      const last = await page.until(() => details() !== '' && details());
      await page.key('k');
      await page.until(() => details() !== last && details() !== '');
      await page.key('Escape');
      await page.until(() => details() === '');
      assert.equal(page.focused, page.list);
    });

    it(`goes through the problems by F8 from ${tab}, wrapping around, whatever the filter`, async () => {
      await openAtFirst(tab);
      await page.type('Nothing is called this');
      await page.until(() => page.rows.length === 0);
      const isAt = (number: number, text: RegExp): boolean =>
        page.text('[role=log]') === `Problem ${number} of 2` &&
        page.button(/^Next problem/).textContent === `${number} of 2` &&
        text.test(page.activeRow);
      page.press('F8');
      await page.until(() => isAt(1, /failed-turn.*Alpha/) && details().includes('What happened'));
      assert.match(page.list.getAttribute('aria-label') ?? '', /Log records/);
      await page.key('F8');
      await page.until(() => isAt(2, /failed-turn.*Beta/));
      await page.key('F8');
      await page.until(() => isAt(1, /Alpha/));
      await page.key('F8', { shift: true });
      await page.until(() => isAt(2, /Beta/));
      page.click(page.button(/^Next problem/));
      await page.until(() => isAt(1, /Alpha/));
    });

    it(`counts what failed in ${tab} by Alt+F8, wrapping around, and opens it`, async () => {
      await openAtFirst(tab);
      await page.key('F8', { alt: true });
      await page.until(() => /^Failure 1 of 2$/.test(page.text('[role=log]')));
      await page.until(() => failed.test(page.activeRow) && details() !== '');
      await page.key('F8', { shift: true, alt: true });
      await page.until(() => page.text('[role=log]') === 'Failure 2 of 2');
    });

    it(`goes to a bookmark that the filter hides in ${tab}, and back to the filter`, async () => {
      await openAtFirst(tab);
      await page.key('F8', { alt: true });
      await page.until(() => failed.test(page.activeRow));
      await page.key('b');
      const marked = page.activeRow;
      await page.type(some);
      await page.until(() => !page.rows.includes(marked));
      const { length } = page.rows;
      await page.key('c');
      await page.until(() => page.rows.length > length && page.activeRow === marked);
      await page.key('c');
      await page.until(() => page.filter.value === some && page.rows.length === length);
      await page.key('B');
      await page.until(() => page.filter.value === '' && page.activeRow === marked);
      page.click(page.button('Back to Filter'));
      await page.until(() => page.filter.value === some);
    });

    it(`copies the selected row by y and by the command in ${tab}`, async () => {
      await openAtFirst(tab);
      await page.key('j');
      const copied = (): string => page.copied + page.acts.join(' ');
      await page.key('y');
      const text = await page.until(() => copied() !== '' && copied());
      page.acts.length = 0;
      page.copy();
      await page.until(() => copied() === text);
    });

    it(`counts what is new in ${tab} when another tab was shown`, async () => {
      await openAtFirst(tab);
      const before = await newsCome();
      page.click(tab === 'log' ? '#tab-turns' : '#tab-log');
      await page.settled();
      page.click(`#tab-${tab}`);
      await page.settled();
      assert.equal(news(), before);
    });

    it(`counts what is new in ${tab} while it is paused`, async () => {
      await openAtFirst(tab);
      await page.until(() => !isFollowing());
      await newsCome();
      await page.key(' ');
      await page.until(() => isFollowing() && news() === 0);
    });
  }
});
