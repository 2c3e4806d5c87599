import assert from 'node:assert/strict';
import type { Tab } from '../../../src/explorer/page/messages';
import type { WireEvent } from '../../../src/wire/wireEvent';
import { columnStyles, printColumns, readColumns } from '../../../src/explorerPage/list/columns';
import { ExplorerWindow, WrittenRun } from '../../support/explorerWindow';
import { describeWithEsbuild } from '../../support/platform';
import { opened, prompted } from '../../support/acpRows';
import { line } from '../../support/wireRows';

const turn = (id: number, from: number, to: number): readonly WireEvent[] => [
  prompted(from, id, `Prompt ${id}`),
  line(to, 'a2c', { id, result: { stopReason: 'end_turn' } }),
];
const events = [...opened(0, 1), ...turn(2, 1000, 3000), ...turn(3, 4000, 9000), ...turn(4, 10_000, 11_000)];

describe('columns of a list', () => {
  it('are read as they were printed', () => {
    const shown = { 'wire.bars': { width: 240 }, 'wire.size': { width: 60, isShown: true } };
    const columns = { 'log.session': { isShown: false }, ...shown };
    assert.deepEqual(readColumns(printColumns(columns)), columns);
    assert.equal(printColumns({ 'log.session': { width: undefined, isShown: undefined } }), '');
  });

  it('ignore what they can’t have', () => {
    const text = 'log.session=x&other.time=0&log.a}b=0&log.time=w99999&wire.size=w3&log=1';
    assert.deepEqual(readColumns(text), { 'wire.size': { width: 24 } });
    assert.equal(columnStyles(readColumns('log.a}b{=0')), '');
  });
});

describeWithEsbuild('explorer: column headings', () => {
  let page: ExplorerWindow;
  afterEach(() => page.close());

  async function open(tab: Tab): Promise<void> {
    page = await ExplorerWindow.open(new WrittenRun(events), { tab });
    await page.until(() => page.rows.length > 3);
  }
  const headings = () => page.all('[role=tabpanel]:not([hidden]) [role=columnheader]');
  const heading = (name: string) => headings().find(({ textContent }) => textContent === name)!;
  const sorted = (): readonly string[] =>
    headings()
      .filter((one) => one.getAttribute('aria-sort') !== 'none')
      .map((one) => `${one.textContent} ${one.getAttribute('aria-sort')}`);

  for (const [tab, names] of [
    ['log', 'Time, Level, Session, Logger, Message'],
    ['wire', 'Time, Method, Status, Duration, Size, Timeline, Session'],
    ['turns', 'Name, Timeline, Duration, Tokens'],
  ] as const) {
    it(`are those of the columns of ${tab}`, async () => {
      await open(tab);
      const shown = headings().map(({ textContent }) => textContent);
      assert.equal(shown.join(', '), names);
      if (tab !== 'turns') assert.deepEqual(sorted(), ['Time ascending']);
    });
  }

  for (const tab of ['wire', 'turns'] as const) {
    it(`sort the rows of ${tab}, and keep the selected one and the focus`, async () => {
      await open(tab);
      await page.key('g');
      await page.key('j');
      const selected = page.activeRow;
      page.click(heading('Duration'));
      await page.until(() => page.rows.findIndex((row) => row.includes('5.0 s')) < 2);
      assert.deepEqual(sorted(), ['Duration descending']);
      await page.until(() => page.activeRow === selected);
      assert.equal(page.focused, page.list);
      page.click(heading('Duration'));
      await page.until(() => page.rows.at(-1)?.includes('5.0 s'));
      assert.deepEqual(sorted(), ['Duration ascending']);
      await page.until(() => page.activeRow === selected);
    });

    it(`sort the rows of ${tab} by keys, and stay in focus`, async () => {
      await open(tab);
      const first = page.find('[role=tabpanel]:not([hidden]) [role=columnheader][tabindex="0"]')!;
      first.focus();
      const focused = (): string => page.focused?.textContent ?? '';
      while (focused() !== 'Duration') page.press('ArrowRight');
      page.press('Enter');
      await page.until(() => page.rows.findIndex((row) => row.includes('5.0 s')) < 2);
      assert.equal(focused(), 'Duration');
      page.press('ArrowDown');
      assert.equal(page.focused, page.list);
    });
  }

  it('have a menu that hides columns and brings them back, in every explorer', async () => {
    await open('wire');
    const item = (name: string) => page.all('[role=menu] button').find(({ textContent }) => textContent === name)!;
    const shown = (name: string): string => page.document.defaultView!.getComputedStyle(heading(name)).display;
    await page.openMenu(heading('Size'));
    const checked = () => ['Sort Ascending', 'Size'].map((name) => item(name).getAttribute('aria-checked'));
    assert.deepEqual(checked(), ['false', 'true']);
    item('Size').click();
    await page.until(() => page.columns === 'wire.size=0');
    assert.equal(shown('Size'), 'none');
    assert.equal(page.focused, page.list);
    await page.openMenu(heading('Time'));
    assert.deepEqual(checked(), ['true', 'false']);
    item('Reset Columns').click();
    await page.until(() => page.columns === '');
    assert.notEqual(shown('Size'), 'none');
  });

  it('open the menu by Enter in the log, whose order is fixed', async () => {
    await open('log');
    heading('Logger').focus();
    page.press('Enter');
    await page.until(() => page.find('[role=menu]'));
    page.press('Escape');
    await page.until(() => !page.find('[role=menu]'));
    heading('Logger').focus();
    page.press('F10', { shift: true });
    await page.until(() => page.find('[role=menu]'));
    assert.deepEqual(page.texts('[role=menu] button'), ['Time', 'Level', 'Session', 'Logger', 'Reset Columns']);
  });

  it('are resized by keys', async () => {
    await open('log');
    heading('Logger').focus();
    page.press('ArrowRight', { shift: true });
    await page.until(() => /^log\.logger=w\d+$/.test(page.columns));
  });
});
